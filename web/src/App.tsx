import { Center, Loader } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { session } from './api/session.ts'
import { findPage } from './pages/findPage.tsx'
import { SignInPage } from './pages/signIn/SignInPage.tsx'
import { useAddress } from './router/navigate.ts'
import { PageFrame } from './shell/PageFrame.tsx'
import { PublicFrame } from './shell/PublicFrame.tsx'
import { Shell } from './shell/Shell.tsx'

/** The dashboard: resumes the tab's session, then shows the page at the current address if the visitor may see it. */
export function App() {
  const { path } = useAddress()
  const state = useSyncExternalStore(session.subscribe, session.read)
  useEffect(() => {
    if (session.read().status === 'starting') session.resume().catch(() => session.pause())
  }, [])

  if (state.status === 'starting') {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  }
  const { page: content, isPublic } = findPage(path)
  const page = <PageFrame key={path}>{content}</PageFrame>
  if (state.status === 'signedIn') {
    return (
      <Shell user={state.user} path={path}>
        {page}
      </Shell>
    )
  }
  return isPublic ? <PublicFrame>{page}</PublicFrame> : <SignInPage path={path} cause={state.cause} />
}
