import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { enrolPasskey } from '../builders/enrolPasskey.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const OUTREACH = '/api/agents/request-registration'
const COPIES = 24

describe('registration requests in two processes over one PostgreSQL', () => {
  let two: TwoProcesses

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses({ OUTREACH_RATE_PER_HOUR: '100000' })
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth % 2] ?? ''
  const inBoth = <Answer>(send: (nth: number) => Promise<Answer>, copies = COPIES): Promise<Answer[]> =>
    Promise.all(Array.from({ length: copies }, (_, nth) => send(nth)))

  it('let an address be requested three times a day, and send it one mail for each', async () => {
    const ownerEmail = `reader.${randomUUID()}@people.io`
    const body = { agentName: 'Buyer', ownerEmail }
    const answers = await inBoth((nth) => api(baseUrl(nth), 'POST', OUTREACH, { body }))
    const taken = answers.filter(({ status }) => status === 202)
    expect(taken).to.have.length(3)
    expect(answers.every(({ status }) => status === 202 || status === 429)).to.equal(true)
    const keys = await waitUntil(async () => {
      const mails = await two.rows<{ message_key: string }>(
        'SELECT message_key FROM mail_outbox WHERE recipient = ?',
        ownerEmail,
      )
      return mails.length >= 3 ? mails.map((mail) => mail.message_key) : null
    })
    expect(keys).to.have.members(taken.map(({ body }) => `registration_outreach.${body.requestId}`))
    expect(await two.rows('SELECT 1 FROM registration_requests WHERE announced_at IS NULL')).to.deep.equal([])
  })

  it('have one outcome when both decide concurrently', async () => {
    const account = {
      email: `${randomUUID()}@people.io`,
      password: 'correct horse battery',
      fullName: 'An Owner',
      accountType: 'individual',
    }
    const { data } = (await api(baseUrl(0), 'POST', '/api/auth/register', { body: account })).body
    const bearer: string = data.accessToken
    await two.rows('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', data.user.id)
    const { authenticator } = await enrolPasskey(baseUrl(0), bearer)
    const created = await api(baseUrl(0), 'POST', '/api/api-keys', { bearer, body: { name: 'agent' } })
    for (let round = 0; round < 6; round += 1) {
      const name = `Raced ${round}`
      const requested = await api(baseUrl(round), 'POST', '/api/agents/register', {
        bearer: created.body.key,
        body: { name },
      })
      const path = `/api/registration-requests/${requested.body.requestId}`
      const { request } = (await api(baseUrl(1), 'GET', path, { bearer })).body
      const responses = [1, 2].map(() => authenticator.assert(request.assertionOptions))
      const answers = await inBoth(
        (nth) =>
          nth < 2
            ? api(baseUrl(nth), 'POST', `${path}/approve`, { bearer, body: { response: responses[nth] } })
            : api(baseUrl(nth), 'POST', `${path}/deny`, { bearer, body: {} }),
        4,
      )
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
      const polls = await inBoth(
        (nth) => api(baseUrl(nth), 'GET', `${OUTREACH}/${requested.body.requestId}`),
        2,
      )
      expect(polls[0]?.body).to.deep.equal(polls[1]?.body)
      const agents = await two.rows<{ svc_id: string }>('SELECT svc_id FROM agents WHERE name = ?', name)
      const { status, svcId } = polls[0]?.body ?? {}
      expect(agents.map((agent) => agent.svc_id)).to.deep.equal(status === 'approved' ? [svcId] : [])
    }
  })
})
