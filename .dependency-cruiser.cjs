/**
 * Import rules. Each is one sentence of docs/architecture.md; scripts/arrows.test.ts plants a violation of each to
 * show that it fires.
 * A .cjs file because dependency-cruiser loads its configuration with require.
 */
const feature = '^apps/(server|web)/src/features/([^/]+)/'
/** A feature's store, and the further ones of a feature whose store has grown: `member-store.ts`. */
const stores = '(store|[a-z-]+-store)\\.ts'
const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    never('no-circles', 'No file imports itself, directly or through others.', {}, { circular: true }),
    never(
      'contract-imports-nothing-of-ours',
      'The contract is pure: it imports zod, punycode and nothing of ours.',
      { path: '^packages/contract/' },
      { path: '^(apps|scripts|bench|e2e)/' },
    ),
    never(
      'apps-never-meet',
      'Server, web and sandbox share the contract and nothing else.',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    never(
      'only-the-root-imports-routes',
      'Only the composition root (app.ts, web/src/app) imports routes.ts or a Screen.',
      { pathNot: '^apps/(server/src/app\\.ts|web/src/app/)|\\.test\\.' },
      { path: 'features/(.+/routes\\.ts|[^/]+/.*Screen\\.tsx)$' },
    ),
    never(
      'stores-are-private',
      'A store (store.ts, …-store.ts) is private to its feature.',
      { path: feature },
      { path: `features/.*/${stores}$`, pathNot: '^apps/$1/src/features/$2/' },
    ),
    never(
      'only-stores-touch-sql',
      'Inside a feature or identity, only stores contain SQL.',
      { path: '/features/|^apps/server/src/identity/', pathNot: `/(${stores}|[^/]*\\.test\\.ts)$` },
      { path: '^(node_modules/)?(kysely|@electric-sql|pg)(/|$)|/node_modules/(kysely|@electric-sql|pg)/' },
    ),
    never(
      'services-reach-the-db-through-context',
      'Services and rules reach the database through their context.',
      { path: 'features/[^/]+/', pathNot: `/(${stores}|[^/]*\\.test\\.ts)$` },
      { path: '^apps/server/src/db/' },
    ),
    never(
      'nothing-imports-the-sandbox',
      'The sandbox is reached over the network; no other code imports it.',
      { pathNot: '^apps/sandbox/' },
      { path: '^apps/sandbox/' },
    ),
    never(
      'every-import-resolves',
      'Every import leads to a file or a package (virtual modules are made by the web build).',
      {},
      { couldNotResolve: true, pathNot: '^virtual:' },
    ),
    never(
      'rules-are-pure',
      'rules.ts is pure: it imports no database, HTTP, integration or store.',
      { path: 'features/.*/rules\\.ts$' },
      { path: 'src/(db|endpoint|rate-limit|server|api-docs|integrations)/|(store|service|routes)\\.ts$' },
    ),
    never(
      'only-routes-know-http',
      'In a feature, only routes.ts imports HTTP code.',
      { path: 'features/', pathNot: '(routes|\\.test)\\.tsx?$' },
      { path: 'server/src/endpoint/mount|(^|/)node_modules/fastify/' },
    ),
    never(
      'services-below-routes',
      'Services, stores and rules do not import routes.',
      { path: 'features/.+/(service|store|rules)\\.ts$' },
      { path: 'features/.+/routes\\.ts$' },
    ),
    never(
      'foundations-import-no-feature',
      'endpoint, rate-limit, server, api-docs, db, integrations and lib, and ui and lib on the web, import no feature and no root.',
      {
        path: '^apps/(server/src/(endpoint|rate-limit|server|api-docs|db|integrations|lib)|web/src/(ui|lib))/',
      },
      { path: '/features/|^apps/web/src/app/|^apps/server/src/app\\.ts' },
    ),
    never(
      'identity-imports-no-feature',
      'identity is below the features: it imports no feature and no root.',
      { path: '^apps/server/src/identity/' },
      { path: '/features/|^apps/server/src/app\\.ts' },
    ),
    never(
      'ui-imports-no-app-code',
      'ui imports no API client, router, feature or contract.',
      { path: '^apps/web/src/ui/' },
      { path: '^apps/web/src/(lib/api|app|features)|^packages/contract' },
    ),
    never(
      'production-needs-no-dev-dependencies',
      'What `npm start` runs after `npm ci --omit=dev` imports no development dependency but types.',
      {
        path: '^(apps/(server|sandbox)/src|packages/contract/src|scripts/(start\\.ts|lib))/?',
        pathNot: '\\.(test|fixture)\\.ts$',
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    ),
  ],
  options: {
    // Of the nearest package.json and the one of the whole repository.
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    // Ours alone: packages lie in folders called dist, and what a rule forbids would not be seen.
    exclude: {
      path: ['^(apps|packages)/[a-z]+/(dist|coverage|\\.cache)/', '^(dist|coverage|\\.cache|test-results)/'],
    },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
}
