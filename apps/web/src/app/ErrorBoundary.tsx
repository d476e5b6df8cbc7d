import { Component, type ReactNode } from 'react'
import { t } from '../lib/i18n/translate.ts'
import { Button } from '../ui/base/Button.tsx'
import { NotFoundPanel } from '../ui/layout/NotFoundPanel.tsx'
import { reloadIfStale } from './reload-stale-build.ts'
import { LoadFailed, tryViewsAgain } from './view.ts'

type Props = {
  children: ReactNode
  path: string
  /** Rendered in the app's frame, which stays visible. */
  inside?: boolean
}

/** Shows an error with a retry when a screen crashes. A class, because React has no hook for this. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof LoadFailed) void reloadIfStale()
  }

  // Another path resets the error.
  override componentDidUpdate(before: Props) {
    if (before.path !== this.props.path && this.state.error !== null) this.tryAgain()
  }

  tryAgain = () => {
    tryViewsAgain()
    this.setState({ error: null })
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <NotFoundPanel
        inside={this.props.inside ?? false}
        title={t('global.error.page.title')}
        action={
          <div className="row">
            <Button variant="primary" onClick={this.tryAgain}>
              {t('global.retry')}
            </Button>
            <Button onClick={() => window.location.reload()}>{t('global.error.page.reload')}</Button>
          </div>
        }
      >
        {t('global.error.page.text')}
      </NotFoundPanel>
    )
  }
}
