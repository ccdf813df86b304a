import { expect } from 'chai'
import { generateSync } from 'otplib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { registerAgent, signHeaders } from '../../../builders/participants.ts'
import { type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

const SUSPENDED = [403, 'ACCOUNT_SUSPENDED']

describe('a suspended account refuses to sign in', () => {
  let scene: OperatorScene
  before(async () => {
    scene = await openOperatorScene()
  })
  after(() => scene?.service.stop())

  const suspend = ({ user }: { user: { developerId: string } }) => scene.suspend(user)
  const resume = ({ user }: { user: { developerId: string } }) => scene.resume(user)

  it('by password, only after the right one: a stranger learns nothing', async () => {
    const person = await scene.person()
    const wrong = { email: person.user.email, password: 'not the password' }
    const before = await scene.call('POST', '/api/auth/login', { body: wrong })
    await suspend(person)
    const { status, body } = await person.logIn()
    expect([status, body.code]).to.deep.equal(SUSPENDED)
    expect(body.message).to.contain(REASON)
    const { requestId: _, ...after } = (await scene.call('POST', '/api/auth/login', { body: wrong })).body
    expect({ ...after, requestId: before.body.requestId }).to.deep.equal(before.body)
    await resume(person)
    expect((await person.logIn()).status).to.equal(200)
  })

  it('by a code of the authenticator app, at the first factor and with an earlier token', async () => {
    const person = await scene.person()
    const bearer = person.accessToken
    const { secret, recoveryCodes } = (await scene.call('POST', '/api/auth/mfa/totp', { bearer })).body
    const body = { code: generateSync({ secret }) }
    await scene.call('POST', '/api/auth/mfa/totp/confirm', { bearer, body })
    const { interimToken } = (await person.logIn()).body
    expect(interimToken).to.be.a('string')
    await suspend(person)
    expect(outcomeOf(await person.logIn())).to.deep.equal(SUSPENDED)
    const [code] = recoveryCodes
    const finish = () => scene.call('POST', '/api/auth/mfa', { body: { interimToken, code } })
    expect(outcomeOf(await finish())).to.deep.equal([401, 'UNAUTHENTICATED'])
    await resume(person)
    expect(outcomeOf(await finish())).to.deep.equal([401, 'UNAUTHENTICATED'])
  })

  it('by passkey', async () => {
    const person = await scene.person()
    const { authenticator } = await enrolPasskey(scene.baseUrl, person.accessToken)
    await suspend(person)
    const { options } = (await scene.call('POST', '/api/auth/passkeys/authentication/options', { body: {} }))
      .body
    const signedIn = await scene.call('POST', '/api/auth/passkeys/authentication/verify', {
      body: { response: authenticator.assert(options) },
    })
    expect(outcomeOf(signedIn)).to.deep.equal(SUSPENDED)
  })

  it('by wallet, and to register agents, change their keys or get their tokens with its key', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(scene.baseUrl, {}, { account })
    const signIn = async () =>
      scene.call('POST', '/api/auth/siwe', { body: await buildSiweBody(scene.baseUrl, account) })
    const { user } = (await signIn()).body.data
    const signed = async (path: string, body: object | null) => {
      const text = body === null ? '' : JSON.stringify(body)
      const headers = await signHeaders(account, { method: 'POST', path, body: text })
      return scene.call('POST', path, { headers, ...(body === null ? {} : { body }) })
    }
    expect((await signed(`/api/agents/${svcId}/token`, null)).status).to.equal(200)
    await suspend({ user })
    expect(outcomeOf(await signIn())).to.deep.equal(SUSPENDED)
    expect(outcomeOf(await signed('/api/agents/register', { name: 'Another' }))).to.deep.equal(SUSPENDED)
    expect(outcomeOf(await signed(`/api/agents/${svcId}/token`, null))).to.deep.equal([409, 'INVALID_STATE'])
    const key = { key: createAgentKey().jwk }
    expect(outcomeOf(await signed(`/api/agents/${svcId}/keys`, key))).to.deep.equal(SUSPENDED)
    await resume({ user })
    expect((await signIn()).status).to.equal(200)
  })

  it('and does not let a wallet take its agents to another account', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await registerAgent(scene.baseUrl, {}, { account })
    const body = await buildSiweBody(scene.baseUrl, account)
    const { user } = (await scene.call('POST', '/api/auth/siwe', { body })).body.data
    await suspend({ user })
    const accomplice = await scene.person()
    const linked = await scene.call('POST', '/api/auth/siwe', {
      bearer: accomplice.accessToken,
      body: await buildSiweBody(scene.baseUrl, account),
    })
    expect(outcomeOf(linked)).to.deep.equal(SUSPENDED)
  })
})
