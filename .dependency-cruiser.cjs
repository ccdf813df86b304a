/** The one-way layers of docs/architecture.md, as rules. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'core-is-pure',
      comment: 'core imports core and zod; only core/hash.ts may touch the runtime',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/hash\\.ts$' },
      to: { pathNot: '^(core/|node_modules/zod/)' },
    },
    {
      name: 'core-hash-is-crypto-only',
      severity: 'error',
      from: { path: '^core/hash\\.ts$' },
      to: { pathNot: '^(core/|crypto$)' },
    },
    {
      name: 'memory-knows-core-only',
      comment:
        'store, chain and external import core, errors and what describes the configuration, never one another',
      severity: 'error',
      from: { path: '^server/(store|chain|external)/' },
      to: {
        path: '^server/',
        pathNot: ['^server/$1/', '^server/(config|errors)\\.ts$', '^server/config/'],
      },
    },
    {
      name: 'configuration-knows-no-layer',
      comment: 'the files that read the configuration import core and one another',
      severity: 'error',
      from: { path: '^server/(config/|(config|errors)\\.ts$)' },
      to: { path: '^server/[^/]+/', pathNot: '^server/config/' },
    },
    {
      name: 'services-know-types-only',
      severity: 'error',
      from: { path: '^server/services/' },
      to: {
        path: '^server/(store|chain|external)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'services-know-no-transport',
      severity: 'error',
      from: { path: '^server/services/' },
      to: {
        path: '^(server/(routes|middleware|workers|compose|app|main)|node_modules/(express|knex|viem|better-sqlite3)/)',
      },
    },
    {
      name: 'border-knows-services-only',
      severity: 'error',
      from: { path: '^server/(routes|middleware)/' },
      to: { path: '^server/(store|chain|external|workers|compose)/' },
    },
    {
      name: 'workers-know-services-only',
      severity: 'error',
      from: { path: '^server/workers/' },
      to: { path: '^server/(routes|middleware|store|chain|external|compose)/' },
    },
    {
      name: 'compose-is-the-root',
      comment: 'only main, scripts and tests import the composition root',
      severity: 'error',
      from: { path: '^(server|core|client|cli|gate|web)/', pathNot: '^server/(main\\.ts|compose)' },
      to: { path: '^server/compose' },
    },
    {
      name: 'client-and-web-know-no-server',
      severity: 'error',
      from: { path: '^(client|web)/' },
      to: { path: '^server/' },
    },
    {
      name: 'cli-knows-client-and-core',
      comment:
        'the command line reads a chain with the pure readers of the server, and uses nothing else of it',
      severity: 'error',
      from: { path: '^cli/' },
      to: {
        path: '^(server|web|scripts|examples)/',
        pathNot:
          '^server/chain/(readEvents|nodeFailure|createNodeClient|chainTypes|artifacts/auditLog)\\.ts$',
      },
    },
    {
      name: 'gate-knows-client-only',
      comment: 'the gate is the client’s gateway with a proxy around it',
      severity: 'error',
      from: { path: '^gate/' },
      to: { path: '^(server|cli|web|scripts|examples)/' },
    },
    {
      name: 'product-knows-no-cli',
      comment: 'only scripts and tests call the command line and the gate',
      severity: 'error',
      from: { path: '^(core|client|server|web|examples|cli)/' },
      to: { path: '^(cli|gate)/', pathNot: '^$1/' },
    },
    {
      name: 'examples-know-the-public-client-only',
      comment: 'an example imports only what a user can import: the exports of @svc/client',
      severity: 'error',
      from: { path: '^examples/' },
      to: {
        path: '^(core|server|client|web|scripts|test|bench)/',
        pathNot: '^client/(index|express|fastify|fetch|webhooks|receipts|node|policy|yaml)\\.ts$',
      },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(server|core|client|cli|gate|web|scripts)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^(server|core|client|cli|gate)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|artifacts|cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
