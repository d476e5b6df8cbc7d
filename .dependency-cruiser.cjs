/**
 * Arrows that only go one way. Each rule is one sentence of docs/architecture.md, and
 * scripts/arrows.test.ts plants a violation of each to show that it fires.
 * A .cjs file because dependency-cruiser loads its configuration with require.
 */
const feature = '^apps/(server|web)/src/features/([^/]+)/'
/** A feature's store, and the further ones of a feature whose store has grown: `member-store.ts`. */
const stores = '(store|[a-z]+-store)\\.ts'
const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    never('no-circles', 'Nothing imports itself, however long the way round.', {}, { circular: true }),
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
      'only-the-root-opens-doors',
      'Doors are leaves: only the composition root imports routes.ts or a Screen.',
      { pathNot: '^apps/(server/src/app\\.ts|web/src/app/)|\\.test\\.' },
      { path: 'features/[^/]+/(routes\\.ts|.*Screen\\.tsx)$' },
    ),
    never(
      'stores-are-private',
      'Cellars are private: only a feature imports its own stores (store.ts, and …-store.ts where it has grown).',
      { path: feature },
      { path: `features/.*/${stores}$`, pathNot: '^apps/$1/src/features/$2/' },
    ),
    never(
      'only-stores-touch-sql',
      'Inside a feature, SQL is spoken in its stores alone.',
      { path: '/features/', pathNot: `/(${stores}|[^/]*\\.test\\.ts)$` },
      { path: '^(node_modules/)?(kysely|@electric-sql|pg)(/|$)|/node_modules/(kysely|@electric-sql|pg)/' },
    ),
    never(
      'services-reach-the-db-through-context',
      'Everything else in a feature reaches the database through its context.',
      { path: 'features/[^/]+/', pathNot: `/(${stores}|[^/]*\\.test\\.ts)$` },
      { path: '^apps/server/src/db/' },
    ),
    never(
      'nothing-imports-the-sandbox',
      'The sandbox is reached over the network and imported by nobody.',
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
      'rules.ts decides and touches nothing: no database, no HTTP, no outside, no store.',
      { path: 'features/[^/]+/rules\\.ts$' },
      { path: 'src/(db|http|outside)/|(store|service|routes)\\.ts$' },
    ),
    never(
      'only-routes-know-http',
      'In a feature, only routes.ts knows HTTP.',
      { path: 'features/', pathNot: '(routes|\\.test)\\.tsx?$' },
      { path: 'server/src/http/mount|(^|/)node_modules/fastify/' },
    ),
    never(
      'services-below-routes',
      'Services, stores and rules never look up to routes.',
      { path: 'features/[^/]+/(service|store|rules)\\.ts$' },
      { path: 'features/[^/]+/routes\\.ts$' },
    ),
    never(
      'foundations-know-no-feature',
      'http, db, outside and lib, and ui and lib on the web, know no feature and no root.',
      { path: '^apps/(server/src/(http|db|outside|lib)|web/src/(ui|lib))/' },
      { path: '/features/|^apps/web/src/app/|^apps/server/src/app\\.ts' },
    ),
    never(
      'ui-is-deaf',
      'The design system knows no call, no router, no feature and no contract.',
      { path: '^apps/web/src/ui/' },
      { path: '^apps/web/src/(lib/api|app|features)|^packages/contract' },
    ),
  ],
  options: {
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
