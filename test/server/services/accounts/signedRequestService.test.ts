import { expect } from 'chai'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts, PUBLIC_URL } from './openAccounts.ts'
import {
  INVALID,
  openSignedRequests,
  outcome,
  owner,
  PATH,
  type Signed,
  type SignedRequests,
  withHeaders,
} from './openSignedRequests.ts'

describe('the service that signed requests name', () => {
  let accounts: SignedRequests['accounts']
  let sign: SignedRequests['sign']
  let send: SignedRequests['send']

  before(async () => {
    const opened = await openSignedRequests()
    accounts = opened.accounts
    sign = opened.sign
    send = opened.send
  })
  after(() => accounts.close())

  it('is this one, by its own address or that of its dashboard', async () => {
    for (const service of [PUBLIC_URL, APP_URL]) {
      const { status, body } = await send(await sign({ service }))
      expect([status, body.address]).to.deep.equal([200, owner.address])
    }
  })

  it('is no other, whether it was signed or only stated, and none is lost by leaving it out', async () => {
    const elsewhere = await sign({ service: 'https://other.test' })
    const answer = await send(elsewhere)
    expect(outcome(answer)).to.deep.equal(INVALID)
    expect(answer.body.message).to.equal(
      `X-Svc-Service: expected ${PUBLIC_URL} or ${APP_URL}, for which the request has to be signed`,
    )
    const named = { 'X-Svc-Address': owner.address }
    expect(
      outcome(await send(withHeaders(elsewhere, { ...named, 'X-Svc-Service': PUBLIC_URL }))),
    ).to.deep.equal(INVALID)
    const { 'X-Svc-Service': _, ...rest } = elsewhere.headers
    expect(outcome(await send({ ...elsewhere, headers: { ...rest, ...named } }))).to.deep.equal(INVALID)
    expect(
      outcome(await send(withHeaders(await sign(), { ...named, 'X-Svc-Service': PUBLIC_URL }))),
    ).to.deep.equal(INVALID)
    for (const service of [`${PUBLIC_URL}/`, PUBLIC_URL.toUpperCase(), 'http://svc.test', 'http://localhost'])
      expect(outcome(await send(await sign({ service })))).to.deep.equal(INVALID)
  })

  it('is accepted only beside the address of the signer', async () => {
    const { headers, body } = await sign({ service: PUBLIC_URL })
    const { 'X-Svc-Address': _, ...rest } = headers
    const answer = await send({ headers: rest, body })
    expect(outcome(answer)).to.deep.equal(INVALID)
    expect(answer.body.message).to.equal('X-Svc-Address: expected beside X-Svc-Service')
    expect((await send({ headers, body })).status, 'with the same nonce').to.equal(200)
  })

  it('is missing only in a deprecated form, as each response to it says', async () => {
    const marks = ({ headers }: HttpAnswer) => [headers.get('deprecation'), headers.get('link')]
    const old = await sign()
    const deprecated = ['@1795910400', '</docs/agents#signed-requests>; rel="deprecation"; type="text/html"']
    expect(marks(await send(old))).to.deep.equal(deprecated)
    expect(marks(await send(await sign({ service: PUBLIC_URL })))).to.deep.equal([null, null])
  })

  it('has to be there where the operator refuses the form without it, as is published', async () => {
    const strict = await openAccounts({ allowSignedRequestsWithoutService: false })
    strict.time.now = accounts.time.now
    const sendThere = ({ headers, body }: Signed) => strict.call('POST', PATH, { headers, body })
    expect(outcome(await sendThere(await sign()))).to.deep.equal(INVALID)
    expect((await sendThere(await sign({ service: PUBLIC_URL }))).status).to.equal(200)
    const published = async ({ call }: Pick<OpenAccounts, 'call'>) =>
      (await call('GET', '/.well-known/signed-requests.json')).body
    const [services, second] = [[PUBLIC_URL, APP_URL], 'SVC-SIGNED-REQUEST-V2']
    expect(await published(strict)).to.deep.equal({ success: true, services, forms: [second] })
    expect(await published(accounts)).to.deep.equal({
      ...{ success: true, services, forms: [second, 'SVC-SIGNED-REQUEST-V1'] },
    })
    await strict.close()
  })
})
