import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { session } from './api/session.ts'
import { findPage } from './pages/findPage.tsx'
import { loadLater } from './router/loadLater.ts'
import { useAddress } from './router/navigate.ts'
import { Starting } from './shell/Starting.tsx'

// Each visitor needs one of them. A slow network notices what is loaded for nothing.
const PublicFrame = loadLater(async () => (await import('./shell/PublicFrame.tsx')).PublicFrame)
const Shell = loadLater(async () => (await import('./shell/Shell.tsx')).Shell)
const SignInPage = loadLater(async () => (await import('./pages/signIn/SignInPage.tsx')).SignInPage)

/** The dashboard: resumes the tab's session, then shows the page at the current address if the visitor may see it. */
export function App() {
  useEffect(() => {
    if (session.read().status === 'starting') session.resume().catch(() => session.pause())
  }, [])
  return (
    <Suspense fallback={<Starting />}>
      <Current />
    </Suspense>
  )
}

function Current() {
  const { path } = useAddress()
  const state = useSyncExternalStore(session.subscribe, session.read)
  if (state.status === 'starting') return <Starting />
  const { page, isPublic } = findPage(path)
  if (state.status === 'signedIn') {
    return (
      <Shell user={state.user} path={path}>
        {page}
      </Shell>
    )
  }
  return isPublic ? (
    <PublicFrame path={path}>{page}</PublicFrame>
  ) : (
    <SignInPage path={path} cause={state.cause} />
  )
}
