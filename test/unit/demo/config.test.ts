import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfig as readDemoConfig } from '../../../demo/config.ts';
import { readConfig as readErpConfig } from '../../../demo/erp/config.ts';

describe('readConfig of the demo ERP', () => {
  it('takes an empty string for unset', () => {
    const names = ['ERP_HOST', 'ERP_PORT', 'ERP_MODE', 'ERP_CONTROL', 'ERP_DATA_FILE', 'DATA_DIR'];
    expect(readErpConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual({
      host: '127.0.0.1',
      port: 3900,
      mode: 'idempotency-key',
      hasControl: false,
      dataFile: resolve('.data/erp/orders.jsonl'),
    });
  });

  it('keeps its orders in the data folder, unless they have a file of their own', () => {
    expect(readErpConfig({ DATA_DIR: '/var/d' }).dataFile).toBe('/var/d/erp/orders.jsonl');
    expect(readErpConfig({ DATA_DIR: '/var/d', ERP_DATA_FILE: '/var/o.jsonl' }).dataFile).toBe('/var/o.jsonl');
  });

  it('reports every problem at once', () => {
    const bad = { ERP_PORT: 'x', ERP_MODE: 'sometimes' };
    expect(() => readErpConfig(bad)).toThrow(
      /- ERP_PORT: must be a port[^]*- ERP_MODE: must be one of idempotency-key/,
    );
  });
});

describe('readConfig of the demo client', () => {
  it('takes an empty string for unset', () => {
    expect(readDemoConfig({ MCP_URL: '', TEMPORAL_UI_URL: '', TEMPORAL_NAMESPACE: '' })).toEqual(readDemoConfig({}));
  });

  it('reports every problem at once', () => {
    const bad = { MCP_URL: 'nowhere', TEMPORAL_UI_URL: 'there' };
    expect(() => readDemoConfig(bad)).toThrow(/- MCP_URL: [^]*- TEMPORAL_UI_URL: /);
  });
});
