import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { session, userOf } from './api/session.ts'
import { sessionHint } from './api/sessionHint.ts'
import { findPage } from './pages/findPage.tsx'
import { isPublicPath } from './pages/isPublicPath.ts'
import { loadAhead, loadLater } from './router/loadLater.ts'
import { useAddress } from './router/navigate.ts'
import { frameCode } from './shell/frameCode.ts'
import { StartFrame } from './shell/StartFrame.tsx'
import { Starting } from './shell/Starting.tsx'

// Each visitor needs one of them. A slow network notices what is loaded for nothing.
const PublicFrame = loadLater(frameCode.publicFrame)
const Shell = loadLater(frameCode.shell)
const LandingPage = loadLater(frameCode.landing)
const SignInPage = loadLater(frameCode.signIn)
const EndedSession = loadLater(async () => (await import('./pages/signIn/EndedSession.tsx')).EndedSession)

/** The dashboard: shows the page at the current address as soon as the session is known, if the visitor may see it. */
export function App() {
  useEffect(loadPageAhead, [])
  return (
    <StartFrame>
      <Suspense fallback={<Starting />}>
        <Current />
      </Suspense>
    </StartFrame>
  )
}

/** Loads the code of the page while the session is resumed. What is around the page, start.ts has begun to load. */
function loadPageAhead(): void {
  const { pathname } = window.location
  if (sessionHint.read() || isPublicPath(pathname)) loadAhead(findPage(pathname).page)
}

/** A slow network loads first what is shown. */
const AHEAD_AFTER_MS = 5_000

function Current() {
  const { path } = useAddress()
  const state = useSyncExternalStore(session.subscribe, session.read)
  const user = userOf(state)
  useSignInAhead(user !== null)
  if (state.status === 'starting') return <Starting failure={state.failure} />
  const { page, isPublic } = findPage(path)
  if (user !== null) {
    const isOver = state.status === 'ended'
    return (
      <>
        <div hidden={isOver}>
          <Shell key={user.id} user={user} path={path}>
            {page}
          </Shell>
        </div>
        {isOver && (
          <Suspense fallback={<Starting />}>
            <EndedSession user={user} cause={state.cause} />
          </Suspense>
        )}
      </>
    )
  }
  const cause = state.status === 'signedOut' ? state.cause : null
  if (path === '/' && cause === null) return <LandingPage />
  return isPublic ? <PublicFrame path={path}>{page}</PublicFrame> : <SignInPage path={path} cause={cause} />
}

/**
 * Loads what follows a session while it is open. If it could not be loaded when the session ends, what was typed would be
 * lost.
 */
function useSignInAhead(isSignedIn: boolean): void {
  useEffect(() => {
    if (!isSignedIn) return
    const load = () => Promise.all([EndedSession.loadAhead(), SignInPage.loadAhead()]).catch(() => null)
    const timer = setTimeout(load, AHEAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isSignedIn])
}
