import { openOwnerScene } from './openOwnerScene.ts'

export const APPROVALS = '/api/step-up-approvals'

export type Approvals = Awaited<ReturnType<typeof openApprovals>>

/** The scene of an owner who is asked about an agent, next to another owner and another key of the shop. */
export async function openApprovals() {
  const scene = await openOwnerScene()
  const [ada, eve] = [await scene.owner(), await scene.owner()]
  const agentId = await ada.agent()
  const { accessToken: bearer, organizationId } = scene.shop
  const key = { name: 'second', organizationId }
  const secondKey: string = (await scene.call('POST', '/api/api-keys', { bearer, body: key })).body.key
  return {
    ...scene,
    ada,
    eve,
    agentId,
    secondKey,
    /** Sends a request of the agent that requires approval. */
    ask: (fields: object = {}) => scene.asked(agentId, fields),
    recommendationOf: async (request: object): Promise<string> =>
      (await scene.verify(request)).body.recommendation,
    statusOf: async (approvalId: string): Promise<string> => (await ada.readApproval(approvalId)).status,
    /** The identifiers of the approvals with a status, in the owner’s list. */
    async listed(status: string): Promise<string[]> {
      const { items } = (await ada.call('GET', `${APPROVALS}?status=${status}&limit=100`)).body
      return items.map((approval: { approvalId: string }) => approval.approvalId)
    },
  }
}
