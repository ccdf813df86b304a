import { readOverviewAhead } from './api/readOverviewAhead.ts'
import { session } from './api/session.ts'
import { sessionHint } from './api/sessionHint.ts'
import { isPublicPath } from './pages/isPublicPath.ts'
import { frameCode } from './shell/frameCode.ts'

/*
 * The first script of the dashboard. Over a slow network its few kilobytes arrive long before what draws the page: it asks
 * at once for the session, for the data of the page, and for the code that this browser will most likely show.
 */
const { pathname } = window.location
const isHome = pathname === '/'

if (isHome) readOverviewAhead()
void session.resume()

/** Until the request for the session is on its way, which must not wait until a connection is free. */
const BEHIND_MS = 20

setTimeout(() => {
  const { landing, overview, publicFrame, shell, signIn } = frameCode
  const visitor = isHome ? landing : isPublicPath(pathname) ? publicFrame : signIn
  const needed: (() => Promise<unknown>)[] = !sessionHint.read()
    ? [visitor]
    : isHome
      ? [shell, overview]
      : [shell]
  // Whatever shows it says that it could not be loaded.
  for (const load of needed) load().catch(() => null)
}, BEHIND_MS)

// Not awaited: what it loads needs modules that are in one file with this one.
void import('./main.tsx')
