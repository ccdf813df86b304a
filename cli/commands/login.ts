import { createSender, type Send } from '@svc/client/http/createSender.ts'
import { parseBaseUrl } from '@svc/client/http/parseBaseUrl.ts'
import { EXIT } from '../exitCodes.ts'
import { type Credentials, readCredentials, writeCredentials } from '../session/credentials.ts'
import { listItems } from '../session/listItems.ts'
import { sessionOf } from '../session/sessionOf.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usageError.ts'
import type { Command } from './command.ts'

const LOCAL_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** `svc login`: stores an API key or a session after the service has accepted it. */
export const login: Command = {
  summary: 'stores an API key or a session for a service',
  usage: `Signs in to a service and stores the credential in a file that only you can read.

  svc login --url URL --key             an API key, for verify and events
  svc login --url URL --email ADDRESS   a session, for agents, endpoints and events

The key, or the password and the code of a second factor, is asked for on a terminal; otherwise each is one line of
standard input: svc login --url URL --key < key.txt. Both kinds can be stored for one service; the URL of the last
sign-in is the default.

  --insecure   allows http:// to another machine, which shows the credential to the network
  --json       prints {url, kind, account}`,

  async run(args, terminal) {
    const { values } = parseCommandLine(args, {
      url: { type: 'string' },
      key: { type: 'boolean' },
      email: { type: 'string' },
      insecure: { type: 'boolean' },
    })
    if ((values.key === true) === (values.email !== undefined))
      throw new UsageError('Choose either --key or --email.')
    const stored = readStored(terminal.credentialsFile)
    const apiBaseUrl = parseUrl(values.url ?? stored?.apiBaseUrl, values.insecure === true)
    const send = createSender({ baseUrl: apiBaseUrl })
    const added =
      values.email === undefined
        ? { apiKey: await readKey(send, terminal) }
        : { session: await openSession(send, values.email, terminal) }
    // A credential is never sent to another service than the one that it belongs to.
    const kept = stored?.apiBaseUrl === apiBaseUrl ? stored : {}
    writeCredentials(terminal.credentialsFile, { ...kept, apiBaseUrl, ...added })
    const kind = values.email === undefined ? 'apiKey' : 'session'
    const account = values.email ?? null
    if (values.json) terminal.out(JSON.stringify({ url: apiBaseUrl, kind, account }))
    else terminal.out(`Signed in to ${apiBaseUrl} ${account === null ? 'with an API key' : `as ${account}`}.`)
    return EXIT.done
  },
}

/** A damaged file must not prevent a new sign-in, which replaces it. */
function readStored(file: string): Credentials | null {
  try {
    return readCredentials(file)
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

function parseUrl(url: string | undefined, isInsecure: boolean): string {
  if (url === undefined)
    throw new UsageError('--url is missing: the address of the service, such as https://svc.example.')
  const withApi = /\/api\/*$/.test(url) ? url : `${url.replace(/\/+$/, '')}/api`
  let apiBaseUrl: string
  try {
    apiBaseUrl = parseBaseUrl(withApi)
  } catch (cause) {
    throw new UsageError('--url must be an address such as https://svc.example, without a user name.', {
      cause,
    })
  }
  const { protocol, hostname } = new URL(apiBaseUrl)
  if (protocol !== 'https:' && !LOCAL_HOST.test(hostname) && !isInsecure) {
    throw new UsageError('--url is not https:// and not on this machine: --insecure allows it.')
  }
  return apiBaseUrl
}

async function readKey(send: Send, terminal: Terminal): Promise<string> {
  const apiKey = await terminal.ask('API key', { isSecret: true })
  if (apiKey === '') throw new UsageError('There is no API key on standard input.')
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError('The API key must be one word.')
  const headers = { authorization: `Bearer ${apiKey}` }
  const authorised: Send = (call) => send({ ...call, headers })
  await listItems(authorised, { path: '/activity', query: new URLSearchParams(), limit: 1 })
  return apiKey
}

async function openSession(
  send: Send,
  email: string,
  terminal: Terminal,
): Promise<NonNullable<Credentials['session']>> {
  const post = (path: string, body: object) =>
    send<{ interimToken?: string }>({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      retry: 'whenRefused',
    })
  const password = await terminal.ask('Password', { isSecret: true })
  if (password === '') throw new UsageError('There is no password on standard input.')
  let answer = await post('/auth/login', { email, password })
  if (answer.interimToken !== undefined) {
    const code = await terminal.ask('Code of the second factor')
    answer = await post('/auth/mfa', { interimToken: answer.interimToken, code })
  }
  return sessionOf(answer, { email, now: terminal.now() })
}
