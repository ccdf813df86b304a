import { expect } from 'chai'
import { ApiFailure } from '../../../web/src/api/apiFailure.ts'
import { buildSession } from './buildSession.ts'
import type { SentRequest } from './createFakeBrowser.ts'
import { fakeBrowser } from './fakeBrowser.ts'

const SIGNING_OUT = 'svc.signingOut'

describe('the session of a browser', () => {
  let session: typeof import('../../../web/src/api/session.ts').session
  let withAccessToken: typeof import('../../../web/src/api/callApi.ts').withAccessToken
  let sendCall: typeof import('../../../web/src/api/callApi.ts').sendCall
  let followSession: typeof import('../../../web/src/api/followSession.ts').followSession
  const browser = fakeBrowser
  const { sent, broadcast, stored, hear } = browser

  before(async () => {
    browser.install()
    session = (await import('../../../web/src/api/session.ts')).session
    const callApi = await import('../../../web/src/api/callApi.ts')
    withAccessToken = callApi.withAccessToken
    sendCall = callApi.sendCall
    followSession = (await import('../../../web/src/api/followSession.ts')).followSession
  })

  after(() => browser.remove())

  beforeEach(() => {
    session.begin(buildSession(1))
    sent.length = 0
    broadcast.length = 0
  })

  /** The nth request sent. */
  function request(at: number): SentRequest {
    const found = sent[at]
    if (found === undefined) throw new Error(`only ${sent.length} requests were sent`)
    return found
  }

  const outcomeOf = (work: Promise<void>) =>
    work.then(
      () => 'done',
      (error) => error.code,
    )

  const statusOf = () => session.read().status
  const causeOf = () => {
    const state = session.read()
    return 'cause' in state ? state.cause : null
  }

  it('uses the access token of a refresh, which sends no refresh token but asks for the one in the cookie', async () => {
    const refreshing = session.refresh()
    expect(request(0).headers.get('x-svc-session')).to.equal('cookie')
    request(0).answer(200, { data: buildSession(2) })
    await refreshing
    expect(session.token()).to.equal('access-2')
  })

  it('stores no token, only that somebody is signed in', () => {
    expect([...stored]).to.deep.equal([['svc.wasSignedIn', '1']])
  })

  it('shares one refresh among concurrent callers', async () => {
    const refreshing = Promise.all([session.refresh(), session.refresh()])
    request(0).answer(200, { data: buildSession(2) })
    await refreshing
    expect(sent).to.have.length(1)
  })

  it('keeps its page when its user is asked to sign in again, and ends at the service', async () => {
    const asking = session.signInAgain()
    expect([statusOf(), causeOf()?.code, session.token()]).to.deep.equal(['ended', 'SIGN_IN_NEEDED', null])
    request(0).answer(200, { success: true })
    await asking
    expect(sent.map(({ path }) => path)).to.deep.equal(['/api/auth/logout'])
    session.begin(buildSession(2))
    expect([statusOf(), stored.has(SIGNING_OUT)]).to.deep.equal(['signedIn', false])
  })

  it('stays signed out when a refresh completes after the sign-out', async () => {
    const refreshing = outcomeOf(session.refresh())
    const ending = session.end()
    request(0).answer(200, { data: buildSession(2) })
    expect(await refreshing).to.equal('SIGNED_OUT')
    expect([statusOf(), session.token()]).to.deep.equal(['signedOut', null])
    request(1).answer(200, { success: true })
    await ending
    expect(sent.map(({ path }) => path)).to.deep.equal(['/api/auth/refresh', '/api/auth/logout'])
  })

  it('remembers a sign-out until the service has responded, whatever it says', async () => {
    for (const status of [200, 401]) {
      session.begin(buildSession(1))
      sent.length = 0
      const ending = session.end()
      expect(stored.has(SIGNING_OUT)).to.equal(true)
      await Promise.resolve()
      request(0).answer(status, {})
      await ending
      expect(stored.has(SIGNING_OUT)).to.equal(false)
    }
  })

  it('gives up a sign-out when someone signs in meanwhile, because the cookie is theirs', async () => {
    const ending = session.end()
    session.begin(buildSession(3, 'bob'))
    await ending
    expect([stored.has(SIGNING_OUT), session.token()]).to.deep.equal([false, 'access-3'])
  })

  it('keeps the session of a user who signed in meanwhile, whatever the outcome of an earlier refresh', async () => {
    for (const [status, body] of [
      [200, { data: buildSession(2) }],
      [401, { code: 'UNAUTHENTICATED' }],
    ] as const) {
      session.begin(buildSession(1))
      sent.length = 0
      const refreshing = outcomeOf(session.refresh())
      session.begin(buildSession(3, 'bob'))
      request(0).answer(status, body)
      await refreshing
      expect(session.token()).to.equal('access-3')
    }
  })

  it('shares a renewed session with the other tabs, and adopts one that they share', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { data: buildSession(2) })
    await refreshing
    expect(broadcast).to.deep.equal([{ kind: 'opened', opened: buildSession(2) }])
    hear({ kind: 'opened', opened: buildSession(3) })
    expect(session.token()).to.equal('access-3')
    expect(broadcast).to.have.length(1)
  })

  it('ends in all tabs with a sign-out in one of them', async () => {
    const ending = session.end()
    expect(broadcast).to.deep.equal([{ kind: 'signedOut' }])
    expect(causeOf()).to.equal(null)
    session.begin(buildSession(1))
    await ending
    hear({ kind: 'signedOut' })
    expect([statusOf(), session.token()]).to.deep.equal(['signedOut', null])
    expect(causeOf()?.message).to.equal('You have signed out in another tab.')
  })

  it('keeps the page of its user when it ends, and says why', async () => {
    const refreshing = session.refresh()
    request(0).answer(401, {
      code: 'UNAUTHENTICATED',
      message: 'This session was ended from another device.',
    })
    await refreshing
    const state = session.read()
    expect(state.status === 'ended' && [state.user.id, state.cause.message]).to.deep.equal([
      'ada',
      'This session was ended from another device.',
    ])
    expect(session.token()).to.equal(null)
  })

  it('says that it has ended when its cookie is gone', async () => {
    const refreshing = session.refresh()
    request(0).answer(200, { success: true, data: null })
    await refreshing
    expect([statusOf(), causeOf()?.message]).to.deep.equal(['ended', 'This session has ended.'])
  })

  it('does not end because the service cannot be reached', async () => {
    const refreshing = outcomeOf(session.refresh())
    request(0).answer(503, { code: 'SERVICE_UNAVAILABLE' })
    expect(await refreshing).to.equal('SERVICE_UNAVAILABLE')
    expect(statusOf()).to.equal('signedIn')
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
      request(0).answer(200, { data: buildSession(2) })
      expect(await answer).to.equal('done')
      expect(tokens).to.deep.equal(['access-1', 'access-2'])
    })

    it('is never sent as another user who has signed in meanwhile', async () => {
      const { tokens, answer } = requestWhile(() => session.begin(buildSession(3, 'bob')))
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
      expect(sent).to.deep.equal([])
    })

    it('is sent again without another refresh when another tab has renewed the session', async () => {
      const { tokens, answer } = requestWhile(() => hear({ kind: 'opened', opened: buildSession(2) }))
      expect(await answer).to.equal('done')
      expect(tokens).to.deep.equal(['access-1', 'access-2'])
      expect(sent).to.deep.equal([])
    })

    it('is not sent again when the session has ended, and nor is any other', async () => {
      const { tokens, answer } = requestWhile(() => undefined)
      await Promise.resolve()
      request(0).answer(401, { code: 'UNAUTHENTICATED' })
      expect(await answer).to.equal('UNAUTHENTICATED')
      expect(tokens).to.deep.equal(['access-1'])
      expect(await outcomeOf(sendCall('GET /api/me').then(() => undefined))).to.equal('UNAUTHENTICATED')
      expect(sent).to.have.length(1)
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
  })

  it('does not end with the suspension of an organisation, or another refusal', async () => {
    const told = new ApiFailure('ORGANIZATION_SUSPENDED', 'Suspended.', { status: 403 })
    expect(await outcomeOf(withAccessToken(() => Promise.reject(told)))).to.equal('ORGANIZATION_SUSPENDED')
    expect(session.read().status).to.equal('signedIn')
    expect(sent).to.deep.equal([])
  })

  describe('the cache', () => {
    const calls: string[] = []
    before(() =>
      followSession({ clear: () => calls.push('clear'), invalidateQueries: () => calls.push('invalidate') }),
    )

    async function expire(): Promise<void> {
      const refreshing = session.refresh()
      request(0).answer(401, { code: 'UNAUTHENTICATED' })
      await refreshing
      expect(statusOf()).to.equal('ended')
      calls.length = 0
    }

    it('stays when a session is renewed or ends', async () => {
      calls.length = 0
      session.begin(buildSession(2))
      await expire()
      expect(calls).to.deep.equal([])
    })

    it('is read again when its user continues an ended session', async () => {
      await expire()
      session.begin(buildSession(2))
      expect(calls).to.deep.equal(['invalidate'])
    })

    it('is cleared when someone else signs in, or the user signs out', async () => {
      await expire()
      session.begin(buildSession(3, 'bob'))
      expect(calls).to.deep.equal(['clear'])
      const ending = session.end()
      expect(calls).to.deep.equal(['clear', 'clear'])
      await Promise.resolve()
      request(1).answer(200, {})
      await ending
    })
  })
})
