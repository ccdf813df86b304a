import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { session, userOf } from './api/session.ts'
import { sessionHint } from './api/sessionHint.ts'
import { findPage } from './pages/findPage.tsx'
import { loadAhead, loadLater } from './router/loadLater.ts'
import { useAddress } from './router/navigate.ts'
import { StartFrame } from './shell/StartFrame.tsx'
import { Starting } from './shell/Starting.tsx'

// Each visitor needs one of them. A slow network notices what is loaded for nothing.
const PublicFrame = loadLater(async () => (await import('./shell/PublicFrame.tsx')).PublicFrame)
const Shell = loadLater(async () => (await import('./shell/Shell.tsx')).Shell)
const LandingPage = loadLater(async () => (await import('./pages/landing/LandingPage.tsx')).LandingPage)
const SignInPage = loadLater(async () => (await import('./pages/signIn/SignInPage.tsx')).SignInPage)
const EndedSession = loadLater(async () => (await import('./pages/signIn/EndedSession.tsx')).EndedSession)

/** The dashboard: resumes the browser's session, then shows the page at the current address if the visitor may see it. */
export function App() {
  useEffect(() => {
    if (session.read().status !== 'starting') return
    void session.resume()
    // Behind the request for the session, which must not wait until a connection is free.
    setTimeout(loadCodeAhead, BEHIND_MS)
  }, [])
  return (
    <StartFrame>
      <Suspense fallback={<Starting />}>
        <Current />
      </Suspense>
    </StartFrame>
  )
}

/** Until the request for the session is on its way. */
const BEHIND_MS = 50

/** Loads what this browser most likely shows, while the session is resumed. */
function loadCodeAhead(): void {
  const { pathname } = window.location
  const { page, isPublic } = findPage(pathname)
  const isSignedIn = sessionHint.read()
  const frame = isSignedIn ? Shell : pathname === '/' ? LandingPage : isPublic ? PublicFrame : SignInPage
  frame.loadAhead().catch(() => null)
  if (isSignedIn || frame === PublicFrame) loadAhead(page)
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
