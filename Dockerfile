# syntax=docker/dockerfile:1
# One image for every role; the command chooses it:
#   front   node dist/server/main.js            worker  node dist/worker/main.js
#   erp     node dist/demo/erp/main.js          setup   node scripts/prepare-namespace.js --owned

# glibc, because Temporal's native core is built against it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY protocol protocol
COPY workflows workflows
COPY activities activities
COPY server server
COPY worker worker
COPY store store
COPY encryption encryption
COPY mail mail
COPY demo demo
COPY policy policy
COPY scripts scripts
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
# TLS to Temporal needs the certificates that slim images leave out; tini forwards signals and reaps.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates tini \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data \
    WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js \
    PURCHASE_POLICY_FILE=/app/dist/policy/purchase-policy.json \
    HIRING_POLICY_FILE=/app/dist/policy/hiring-policy.json \
    INVOICE_POLICY_FILE=/app/dist/policy/invoice-policy.json
# A named volume takes its owner from here the first time it is mounted.
RUN mkdir -m 0700 /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY scripts scripts
USER node
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "dist/server/main.js"]
