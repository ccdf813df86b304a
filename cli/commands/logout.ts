import { rmSync } from 'node:fs'
import { createSender } from '@svc/client/http/createSender.ts'
import { SvcApiError } from '@svc/client/http/svcApiError.ts'
import { EXIT } from '../exitCodes.ts'
import { readCredentials } from '../session/credentials.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import type { Command } from './command.ts'

/** `svc logout`: ends the session and removes the stored credentials. */
export const logout: Command = {
  summary: 'ends the session and removes the stored credentials',
  usage: `Ends the session and removes the stored credentials. An API key stays valid until it is revoked in the dashboard.

  svc logout

  --json       prints {wasSignedIn}`,

  async run(args, terminal) {
    const { values } = parseCommandLine(args, {})
    const stored = readCredentials(terminal.credentialsFile)
    rmSync(terminal.credentialsFile, { force: true })
    if (stored?.session) {
      const body = JSON.stringify({ refreshToken: stored.session.refreshToken })
      const send = createSender({ baseUrl: stored.apiBaseUrl })
      try {
        await send({ method: 'POST', path: '/auth/logout', body, retry: 'whenRefused' })
      } catch (error) {
        if (!(error instanceof SvcApiError)) throw error
        terminal.err('The credentials are removed, but the service did not confirm the end of the session.')
      }
    }
    const wasSignedIn = stored !== null
    terminal.out(
      values.json ? JSON.stringify({ wasSignedIn }) : wasSignedIn ? 'Signed out.' : 'You were not signed in.',
    )
    return EXIT.done
  },
}
