import type { z } from 'zod'
import { accountOperations } from './accounts.ts'
import { activityOperations } from './activity.ts'
import { adoptionOperations } from './adoption.ts'
import { agentKeyOperations } from './agentKeys.ts'
import { agentRegistrationOperations } from './agentRegistration.ts'
import { agentOperations } from './agents.ts'
import { alertOperations } from './alerts.ts'
import { apiKeyOperations } from './apiKeys.ts'
import { approvalOperations } from './approvals.ts'
import { auditOperations } from './audit.ts'
import { authzenOperations } from './authzen.ts'
import { certificationOperations } from './certifications.ts'
import { credentialOperations } from './credentials.ts'
import { directoryOperations } from './directory.ts'
import { endpointOperations } from './endpoints.ts'
import { interventionOperations } from './interventions.ts'
import { kydOperations } from './kyd.ts'
import { oauthOperations } from './oauth.ts'
import { organizationOperations } from './organizations.ts'
import { passkeyOperations } from './passkeys.ts'
import { publicFileOperations } from './publicFiles.ts'
import { pushSubscriptionOperations } from './pushSubscriptions.ts'
import { registrationRequestOperations } from './registrationRequests.ts'
import { serviceOperations } from './service.ts'
import { sessionOperations } from './sessions.ts'
import { useOperations } from './uses.ts'
import { verificationOperations } from './verification.ts'
import { walletOperations } from './wallets.ts'
import { webhookOperations } from './webhooks.ts'

/** Request and response schemas of every operation, by method and path. A test compares them with the server's table. */
export const operations = {
  ...accountOperations,
  ...activityOperations,
  ...adoptionOperations,
  ...agentKeyOperations,
  ...agentRegistrationOperations,
  ...agentOperations,
  ...alertOperations,
  ...apiKeyOperations,
  ...approvalOperations,
  ...auditOperations,
  ...authzenOperations,
  ...certificationOperations,
  ...credentialOperations,
  ...directoryOperations,
  ...endpointOperations,
  ...interventionOperations,
  ...kydOperations,
  ...oauthOperations,
  ...organizationOperations,
  ...passkeyOperations,
  ...publicFileOperations,
  ...pushSubscriptionOperations,
  ...registrationRequestOperations,
  ...serviceOperations,
  ...sessionOperations,
  ...useOperations,
  ...verificationOperations,
  ...walletOperations,
  ...webhookOperations,
} as const

export type OperationKey = keyof typeof operations

/** The response of an operation, as a client parses it. */
export type AnswerOf<Key extends OperationKey> = z.output<(typeof operations)[Key]['answer']>

/** The result of an operation's use case, to which the route adds `success`. */
export type ResultOf<Key extends OperationKey> = Omit<AnswerOf<Key>, 'success'>

/** The JSON body of an operation, as a client sends it; undefined if it has none. */
export type BodyOf<Key extends OperationKey> = (typeof operations)[Key] extends {
  body: infer Body extends z.ZodType
}
  ? z.input<Body>
  : undefined
