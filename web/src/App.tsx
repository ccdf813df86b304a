import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { session, userOf } from './api/session.ts'
import { findPage } from './pages/findPage.tsx'
import { loadLater } from './router/loadLater.ts'
import { useAddress } from './router/navigate.ts'
import { StartFrame } from './shell/StartFrame.tsx'
import { Starting } from './shell/Starting.tsx'

// Each visitor needs one of them. A slow network notices what is loaded for nothing.
const PublicFrame = loadLater(async () => (await import('./shell/PublicFrame.tsx')).PublicFrame)
const Shell = loadLater(async () => (await import('./shell/Shell.tsx')).Shell)
const LandingPage = loadLater(async () => (await import('./pages/landing/LandingPage.tsx')).LandingPage)
const loadSignInPage = async () => (await import('./pages/signIn/SignInPage.tsx')).SignInPage
const SignInPage = loadLater(loadSignInPage)
const loadEndedSession = async () => (await import('./pages/signIn/EndedSession.tsx')).EndedSession
const EndedSession = loadLater(loadEndedSession)

/** The dashboard: resumes the browser's session, then shows the page at the current address if the visitor may see it. */
export function App() {
  useEffect(() => {
    if (session.read().status === 'starting') void session.resume()
  }, [])
  return (
    <StartFrame>
      <Suspense fallback={<Starting />}>
        <Current />
      </Suspense>
    </StartFrame>
  )
}

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
    if (isSignedIn) Promise.all([loadEndedSession(), loadSignInPage()]).catch(() => null)
  }, [isSignedIn])
}
