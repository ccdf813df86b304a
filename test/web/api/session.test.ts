import type { Session } from '@svc/core/contract/accounts.ts'
import { expect } from 'chai'
import { ApiFailure } from '../../../web/src/api/apiFailure.ts'

const KEY = 'svc.refreshToken'

/** A session whose tokens carry the given number. */
function sessionOf(number: number, id = 'ada'): Session {
  const user = { id, developerId: `SVCD-${id}`, email: null, isEmailVerified: false, fullName: null }
  return {
    accessToken: `access-${number}`,
    refreshToken: `refresh-${number}`,
    expiresIn: 600,
    user: {
      ...user,
      accountType: 'individual',
      role: 'user',
      kydStatus: 'none',
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  }
}

describe('the session of a tab', () => {
  type Sent = { path: string; token: string; answer: (status: number, body: object) => void }
  let session: typeof import('../../../web/src/api/session.ts').session
  let withAccessToken: typeof import('../../../web/src/api/callApi.ts').withAccessToken
  let clearOnSessionEnd: typeof import('../../../web/src/api/clearOnSessionEnd.ts').clearOnSessionEnd
  const stored = new Map<string, string>()
  const sent: Sent[] = []
  /** The other tabs: messages sent to them, and the channel to receive theirs. */
  const broadcast: unknown[] = []
  let heard = new EventTarget()
  class Channel extends EventTarget {
    postMessage(message: unknown) {
      broadcast.push(message)
    }
    constructor() {
      super()
      heard = this
    }
  }
  const replaced = { fetch: globalThis.fetch, globals: new Map<string, PropertyDescriptor | undefined>() }
  function replace(name: string, value: unknown): void {
    replaced.globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }

  before(async () => {
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    }
    replace('sessionStorage', storage)
    replace('navigator', {})
    replace('BroadcastChannel', Channel)
    globalThis.fetch = (path, init) =>
      new Promise((resolve) => {
        const { refreshToken } = JSON.parse(String(init?.body ?? '{}')) as { refreshToken: string }
        const answer = (status: number, body: object) => resolve(Response.json(body, { status }))
        sent.push({ path: String(path), token: refreshToken, answer })
      })
    session = (await import('../../../web/src/api/session.ts')).session
    withAccessToken = (await import('../../../web/src/api/callApi.ts')).withAccessToken
    clearOnSessionEnd = (await import('../../../web/src/api/clearOnSessionEnd.ts')).clearOnSessionEnd
  })

  after(() => {
    globalThis.fetch = replaced.fetch
    for (const [name, before] of replaced.globals) {
      if (before) Object.defineProperty(globalThis, name, before)
      else Reflect.deleteProperty(globalThis, name)
    }
  })

  beforeEach(() => {
    sent.length = 0
    broadcast.length = 0
    session.begin(sessionOf(1))
  })

  /** The nth request sent. */
  function request(at: number): Sent {
    const found = sent[at]
    if (found === undefined) throw new Error(`only ${sent.length} requests were sent`)
    return found
  }

  const outcomeOf = (work: Promise<void>) =>
    work.then(
      () => 'done',
      (error) => error.code,
    )

  it('uses the tokens of a refresh', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { data: sessionOf(2) })
    await refreshing
    expect(session.token()).to.equal('access-2')
    expect(stored.get(KEY)).to.equal('refresh-2')
  })

  it('stays signed out when a refresh completes after the sign-out, and ends the session it opened', async () => {
    const refreshing = outcomeOf(session.refresh())
    void session.end()
    request(0).answer(200, { data: sessionOf(2) })
    expect(await refreshing).to.equal('SIGNED_OUT')
    expect(session.read().status).to.equal('signedOut')
    expect(session.token()).to.equal(null)
    expect(stored.size).to.equal(0)
    expect(sent.map(({ path, token }) => [path, token])).to.deep.equal([
      ['/api/auth/refresh', 'refresh-1'],
      ['/api/auth/logout', 'refresh-1'],
      ['/api/auth/logout', 'refresh-2'],
    ])
  })

  it('keeps the session of a user who signed in meanwhile, whatever the outcome of an earlier refresh', async () => {
    for (const [status, body] of [
      [200, { data: sessionOf(2) }],
      [401, { code: 'UNAUTHENTICATED' }],
    ] as const) {
      sent.length = 0
      session.begin(sessionOf(1))
      const refreshing = outcomeOf(session.refresh())
      session.begin(sessionOf(3, 'bob'))
      request(0).answer(status, body)
      await refreshing
      expect(session.token()).to.equal('access-3')
      expect(stored.get(KEY)).to.equal('refresh-3')
    }
  })

  it('shares a renewed session with duplicated tabs, and adopts one that they share', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { data: sessionOf(2) })
    await refreshing
    expect(broadcast).to.deep.equal([{ refreshToken: 'refresh-1', opened: sessionOf(2) }])
    const say = (refreshToken: string, number: number) => {
      const data = { refreshToken, opened: sessionOf(number) }
      heard.dispatchEvent(Object.assign(new Event('message'), { data }))
    }
    say('refresh-9', 10)
    expect(session.token()).to.equal('access-2')
    say('refresh-2', 3)
    expect(session.token()).to.equal('access-3')
    expect(stored.get(KEY)).to.equal('refresh-3')
  })

  describe('a request with an expired access token', () => {
    const expired = new ApiFailure('UNAUTHENTICATED', 'Sign in.', { status: 401 })

    /** A request that is rejected the first time, after `meanwhile` has run, and accepted after that. */
    function requestWhile(meanwhile: () => void) {
      const tokens: (string | null)[] = []
      const answer = withAccessToken(async (token) => {
        tokens.push(token)
        if (tokens.length > 1) return
        meanwhile()
        throw expired
      })
      return { tokens, answer: outcomeOf(answer) }
    }

    it('is sent again with the new token', async () => {
      const { tokens, answer } = requestWhile(() => undefined)
      await Promise.resolve()
      request(0).answer(200, { data: sessionOf(2) })
      expect(await answer).to.equal('done')
      expect(tokens).to.deep.equal(['access-1', 'access-2'])
    })

    it('is never sent as another user who has signed in meanwhile', async () => {
      const { tokens, answer } = requestWhile(() => session.begin(sessionOf(3, 'bob')))
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
      expect(sent).to.deep.equal([])
    })

    it('is not sent again when the session has ended', async () => {
      const { tokens, answer } = requestWhile(() => undefined)
      await Promise.resolve()
      request(0).answer(401, { code: 'UNAUTHENTICATED' })
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
    })
  })

  it('ends with the account’s suspension, and says why', async () => {
    const told = new ApiFailure('ACCOUNT_SUSPENDED', 'Suspended.', { status: 403 })
    const answer = outcomeOf(withAccessToken(() => Promise.reject(told)))
    await Promise.resolve()
    request(0).answer(403, { code: 'ACCOUNT_SUSPENDED', message: 'Suspended. Reason: spam.' })
    expect(await answer).to.equal('ACCOUNT_SUSPENDED')
    const state = session.read()
    expect(state.status === 'signedOut' && state.cause?.message).to.equal('Suspended. Reason: spam.')
    expect(stored.size).to.equal(0)
  })

  it('does not end with the suspension of an organisation, or another refusal', async () => {
    const told = new ApiFailure('ORGANIZATION_SUSPENDED', 'Suspended.', { status: 403 })
    expect(await outcomeOf(withAccessToken(() => Promise.reject(told)))).to.equal('ORGANIZATION_SUSPENDED')
    expect(session.read().status).to.equal('signedIn')
    expect(sent).to.deep.equal([])
  })

  it('clears the cache when it expires', async () => {
    let cleared = 0
    clearOnSessionEnd({ clear: () => cleared++ })
    const renewing = session.refresh()
    request(0).answer(200, { data: sessionOf(2) })
    await renewing
    expect(cleared).to.equal(0)
    const refreshing = outcomeOf(session.refresh())
    request(1).answer(401, { code: 'UNAUTHENTICATED' })
    expect(await refreshing).to.equal('done')
    expect(session.read().status).to.equal('signedOut')
    expect(cleared).to.equal(1)
  })
})
