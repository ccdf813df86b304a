import { Center, Loader } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { session } from './api/session.ts'
import { pageOf } from './pages/findPage.tsx'
import { SignInPage } from './pages/signIn/SignInPage.tsx'
import { useAddress } from './router/navigate.ts'
import { PageFrame } from './shell/PageFrame.tsx'
import { PublicFrame } from './shell/PublicFrame.tsx'
import { Shell } from './shell/Shell.tsx'

/** The dashboard: takes up the tab's session, then shows the page of the address to whoever may see it. */
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
  const { page: found, isPublic } = pageOf(path)
  const page = <PageFrame key={path}>{found}</PageFrame>
  if (state.status === 'signedIn') {
    return (
      <Shell user={state.user} path={path}>
        {page}
      </Shell>
    )
  }
  return isPublic ? <PublicFrame>{page}</PublicFrame> : <SignInPage path={path} />
}
