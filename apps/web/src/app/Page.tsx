import { Suspense, useDeferredValue, useLayoutEffect, useRef } from 'react'
import { loadAnew } from '../lib/document.ts'
import { useT } from '../lib/i18n/translate.ts'
import { navigate, usePath } from '../lib/navigate.ts'
import { paths } from '../lib/paths.ts'
import { rememberReturnTo } from '../lib/session/return-to.ts'
import { lastUserId, useSession } from '../lib/session/store.ts'
import { PageProgress } from '../ui/base/PageProgress.tsx'
import { Loading } from '../ui/base/Skeleton.tsx'
import { Spinner } from '../ui/base/Spinner.tsx'
import { useNeedsNewDocument } from './csp-document.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { redirectOf, tellForbidden, tellSpentLink } from './guard.ts'
import type { LayoutProps } from './layouts/layout-props.ts'
import { layoutViews } from './layouts/views.ts'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'
import { isNotFound, lostRoute, notFoundView, type Route, routeOf } from './routes.ts'
import { SkipLink } from './SkipLink.tsx'
import { present, useIsReady, useView } from './view.ts'

/** Renders the screen of the current path in its layout, or redirects. */
export function Page() {
  const t = useT()
  const path = usePath()
  const user = useSession()
  const redirect = redirectOf(routeOf(path), user)
  const needsReload = useNeedsNewDocument(path) && !redirect

  // After an account switch a forbidden screen shows no toast: the user did not ask for it in the new
  // account.
  const lastSeen = useRef({ path: '', token: '' })

  // Before the paint, so that the forbidden screen is never visible.
  useLayoutEffect(() => {
    if (needsReload) loadAnew()
    const before = lastSeen.current
    if (user) lastSeen.current = { path, token: user.token }
    if (!redirect) return
    if (redirect === paths.login && !user) rememberReturnTo(lastUserId())
    const isRequested = before.path !== path || before.token === user?.token
    if (redirect === paths.login && user && isRequested) tellForbidden()
    if (redirect === paths.dashboard && path === paths.verify) tellSpentLink()
    navigate(redirect, { replace: true })
  }, [redirect, user, needsReload, path])

  // The old screen stays until the code and texts of the next one are loaded.
  const shown = useDeferredValue(path)
  const route = routeOf(shown)
  if (needsReload) return <Waiting label={t('global.loading')} />
  if (redirect || redirectOf(route, user)) return null
  return (
    <>
      {shown !== path && <PageProgress label={t('global.progress')} />}
      <ErrorBoundary path={shown}>
        <Suspense fallback={<Waiting label={t('global.loading')} />}>
          {/* Signed-in users keep the navigation on the 404 page too. */}
          <ScreenInLayout route={route ?? lostRoute} path={shown} bare={!user && isNotFound(route)} />
        </Suspense>
      </ErrorBoundary>
    </>
  )
}

/** @param bare renders no layout */
function ScreenInLayout({ route, path, bare }: { route: Route; path: string; bare: boolean }) {
  const t = useT()
  const Layout = useView(bare ? noLayout : layoutViews[route.layout])
  // The texts load with the view. They are missing during a retry and when the view failed to load.
  const hasTexts = useIsReady<object>(route.view ?? notFoundView)
  const title = route.title && hasTexts ? t(route.title) : t('global.app')
  // The app and account layouts have their own skip link, and stay visible when the screen crashes.
  const app = route.layout === 'app' || route.layout === 'account'
  return (
    <>
      {!app && <SkipLink />}
      <Layout layout={route.layout} path={route.path} title={title}>
        {app ? (
          <ErrorBoundary path={path} inside>
            <Screen route={route} />
          </ErrorBoundary>
        ) : (
          <Screen route={route} />
        )}
        <RouteAnnouncer title={title} path={route.path} />
      </Layout>
    </>
  )
}

function Screen({ route }: { route: Route }) {
  const View = useView(route.view ?? notFoundView)
  return <View key={route.path} />
}

const noLayout = present<LayoutProps>(({ children }) => children)

function Waiting({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className="lost">
        <Spinner size={20} />
      </div>
    </Loading>
  )
}
