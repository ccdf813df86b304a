import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../builders/signInOperator.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

describe('certifications in two processes over one PostgreSQL', () => {
  let two: TwoProcesses

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses(OPERATOR_SETTINGS)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth % 2] ?? ''

  it('are all stored when granted concurrently, and open and close an endpoint in both', async () => {
    const names = ['SOC-2', 'ISO 27001', 'PCI-DSS', 'HIPAA']
    const shop = await createOrganisation(baseUrl(0))
    const pdlss = { scope: { requiredCertifications: names } }
    const counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey, { pdlss })
    const { svcId } = await registerAgent(baseUrl(0))
    const decisions = () =>
      Promise.all(
        [0, 1].map(async (nth): Promise<string> => {
          const body = { agentId: svcId, counterpartyId }
          const { apiKey } = shop
          const answer = await api(baseUrl(nth), 'POST', '/api/agents/verify-access', {
            bearer: apiKey,
            body,
          })
          return answer.body.recommendation
        }),
      )
    expect(await decisions()).to.deep.equal(['deny', 'deny'])

    const { bearer, elevation } = await signInOperator(baseUrl(0))
    const headers = { 'x-svc-elevation': await elevation() }
    const change = (method: string, name: string, nth: number) =>
      api(baseUrl(nth), method, `/api/admin/agents/${svcId}/certifications/${encodeURIComponent(name)}`, {
        bearer,
        headers,
      })
    const granted = await Promise.all(names.map((name, nth) => change('PUT', name, nth)))
    expect(granted.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    await waitUntil(async () => ((await decisions()).every((decision) => decision === 'grant') ? true : null))

    expect((await change('DELETE', 'HIPAA', 1)).status).to.equal(200)
    await waitUntil(async () => ((await decisions()).every((decision) => decision === 'deny') ? true : null))
  })
})
