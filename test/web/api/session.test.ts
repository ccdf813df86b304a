import { expect } from 'chai'
import { ApiFailure } from '../../../web/src/api/apiFailure.ts'
import type { Session } from '../../../web/src/api/types.ts'

const KEY = 'svc.refreshToken'

/** A session of somebody, whose tokens have its number. */
function opened(number: number, id = 'ada'): Session {
  const user = { id, developerId: `SVCD-${id}`, email: null, isEmailVerified: false, fullName: null }
  return {
    accessToken: `access-${number}`,
    refreshToken: `refresh-${number}`,
    expiresIn: 600,
    user: { ...user, accountType: 'individual', role: 'user', kydStatus: 'none' },
  }
}

describe('the session of a tab', () => {
  type Sent = { path: string; token: string; answer: (status: number, body: object) => void }
  let session: typeof import('../../../web/src/api/session.ts').session
  let withAccessToken: typeof import('../../../web/src/api/callApi.ts').withAccessToken
  let clearOnSessionEnd: typeof import('../../../web/src/api/clearOnSessionEnd.ts').clearOnSessionEnd
  const stored = new Map<string, string>()
  const sent: Sent[] = []
  /** The other tabs: what they were told, and what they say. */
  const told: unknown[] = []
  let heard = new EventTarget()
  class Channel extends EventTarget {
    postMessage(message: unknown) {
      told.push(message)
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
    told.length = 0
    session.begin(opened(1))
  })

  /** The request that was sent as the given one; they are sent in a known order. */
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

  it('goes on with the tokens of a refresh', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { data: opened(2) })
    await refreshing
    expect(session.token()).to.equal('access-2')
    expect(stored.get(KEY)).to.equal('refresh-2')
  })

  it('stays ended when a refresh is answered after the sign-out, and ends what that opened', async () => {
    const refreshing = outcomeOf(session.refresh())
    void session.end()
    request(0).answer(200, { data: opened(2) })
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

  it('is that of who signed in meanwhile, whatever a refresh of before is answered', async () => {
    for (const [status, body] of [
      [200, { data: opened(2) }],
      [401, { code: 'UNAUTHENTICATED' }],
    ] as const) {
      sent.length = 0
      session.begin(opened(1))
      const refreshing = outcomeOf(session.refresh())
      session.begin(opened(3, 'bob'))
      request(0).answer(status, body)
      await refreshing
      expect(session.token()).to.equal('access-3')
      expect(stored.get(KEY)).to.equal('refresh-3')
    }
  })

  it('tells a duplicate of its tab what a token was exchanged for, and goes on with what it is told', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { data: opened(2) })
    await refreshing
    expect(told).to.deep.equal([{ refreshToken: 'refresh-1', opened: opened(2) }])
    const say = (refreshToken: string, number: number) => {
      const data = { refreshToken, opened: opened(number) }
      heard.dispatchEvent(Object.assign(new Event('message'), { data }))
    }
    say('refresh-9', 10)
    expect(session.token()).to.equal('access-2')
    say('refresh-2', 3)
    expect(session.token()).to.equal('access-3')
    expect(stored.get(KEY)).to.equal('refresh-3')
  })

  describe('a request in it whose access token has expired', () => {
    const expired = new ApiFailure('UNAUTHENTICATED', 'Sign in.', { status: 401 })

    /** A request that is refused once `meanwhile` has happened, and taken from then on. */
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

    it('is sent once more with the new one', async () => {
      const { tokens, answer } = requestWhile(() => undefined)
      await Promise.resolve()
      request(0).answer(200, { data: opened(2) })
      expect(await answer).to.equal('done')
      expect(tokens).to.deep.equal(['access-1', 'access-2'])
    })

    it('is never sent as somebody else who has signed in meanwhile', async () => {
      const { tokens, answer } = requestWhile(() => session.begin(opened(3, 'bob')))
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
      expect(sent).to.deep.equal([])
    })

    it('is not sent without a token when the session is over', async () => {
      const { tokens, answer } = requestWhile(() => undefined)
      await Promise.resolve()
      request(0).answer(401, { code: 'UNAUTHENTICATED' })
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
    })
  })

  it('has what was read in it forgotten when it ends by itself', async () => {
    let cleared = 0
    clearOnSessionEnd({ clear: () => cleared++ })
    const renewing = session.refresh()
    request(0).answer(200, { data: opened(2) })
    await renewing
    expect(cleared).to.equal(0)
    const refreshing = outcomeOf(session.refresh())
    request(1).answer(401, { code: 'UNAUTHENTICATED' })
    expect(await refreshing).to.equal('done')
    expect(session.read().status).to.equal('signedOut')
    expect(cleared).to.equal(1)
  })
})
