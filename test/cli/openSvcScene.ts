import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { linkWallet } from '../../scripts/demo/linkWallet.ts'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { startService } from '../harness/service/startService.ts'
import { openSvc } from './openSvc.ts'

/** The person who owns the agent. */
export const PERSON = { email: 'person@people.io', password: 'correct horse battery' }
const BOUNDARY = {
  purpose: { categories: ['shopping'] },
  limits: { autonomousThreshold: 100, approvalThreshold: 300, currency: 'EUR' },
}

export type SvcScene = Awaited<ReturnType<typeof openSvcScene>>
export type SvcUser = ReturnType<SvcScene['openUser']>

/** Starts a service with an organisation that has an endpoint, and with a person who has an agent, for `svc` to call. */
export async function openSvcScene() {
  const service = await startService()
  const { apiKey } = await createOrganisation(service.baseUrl)
  const svceId = await registerEndpoint(service.baseUrl, apiKey, { name: 'Orders' })
  const signedUp = await api(service.baseUrl, 'POST', '/api/auth/register', {
    body: { ...PERSON, fullName: 'A Person', accountType: 'individual' },
  })
  const wallet = privateKeyToAccount(generatePrivateKey())
  await linkWallet(service.baseUrl, signedUp.body.data.accessToken, wallet)
  const { svcId } = await registerAgent(
    service.baseUrl,
    { name: 'Buyer', pdlss: BOUNDARY },
    { account: wallet },
  )
  const prover = createAgentProver(service.baseUrl, Date.now)
  prover.add(svcId, wallet)
  return {
    ...{ service, apiKey, svceId, svcId },
    prove: prover.prove,
    /** Opens `svc` as one user has it, who may sign in by the key of the organisation or as the person. */
    openUser() {
      const svc = openSvc()
      return {
        ...svc,
        loginByKey: (key = apiKey) => svc.run(['login', '--url', service.baseUrl, '--key'], key),
        loginByPassword: (password = PERSON.password) =>
          svc.run(['login', '--url', service.baseUrl, '--email', PERSON.email], password),
      }
    },
  }
}
