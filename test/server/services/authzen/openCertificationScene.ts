import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

export const EVALUATION = '/access/v1/evaluation'
export const EVALUATIONS = '/access/v1/evaluations'

export type Json = Record<string, unknown>

export type CertificationScene = Awaited<ReturnType<typeof openCertificationScene>>

/** The whole service with a shop that uses AuthZEN, and registered agents in place of the scenario’s users. */
export async function openCertificationScene() {
  const service = await startService()
  const shop = await createOrganisation(service.baseUrl)
  const svceId = await registerEndpoint(service.baseUrl, shop.apiKey, { trustScoreRequirement: 0 })
  const call = (method: string, path: string, options: Parameters<typeof api>[3] = {}) =>
    api(service.baseUrl, method, path, options)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, { bearer: shop.apiKey, body, headers })

  return {
    service,
    shop,
    svceId,
    call,
    post,
    /** A user of the scenario, who may perform the named actions on the first two records, for up to 50 USD. */
    async user(categories: string[]): Promise<Json> {
      const limits = { autonomousThreshold: 50, stepUpThreshold: 50, approvalThreshold: 50, currency: 'USD' }
      const scope = { resources: ['record-1', 'record-2'] }
      const pdlss = { purpose: { categories }, scope, limits }
      const { svcId } = await registerAgent(service.baseUrl, { pdlss })
      return { type: 'user', id: svcId }
    },
    /** Returns the decision of an evaluation from a response in the form that AuthZEN requires. */
    async decide(body: unknown) {
      const answer = await post(EVALUATION, body)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      expect(answer.headers.get('content-type')).to.match(/^application\/json/)
      expect(answer.body.decision).to.be.a('boolean')
      expect(answer.body.context).to.be.an('object')
      return answer.body.decision
    },
    /** Returns the decisions of a batch in order. */
    async decideAll(body: unknown) {
      const answer = await post(EVALUATIONS, body)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return answer.body.evaluations.map((item: { decision: boolean }) => item.decision)
    },
    /** Sends a text unchanged, with any media type. */
    raw: (body: string, headers: Record<string, string>, path = EVALUATION) =>
      fetch(service.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.apiKey}`, ...headers },
        body,
      }),
  }
}
