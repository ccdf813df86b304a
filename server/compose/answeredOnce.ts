import type { Services } from '../routes/services.ts'
import type { ClaimedWrites } from '../store/recorder/claimedWrites.ts'

/**
 * The services whose operations take an Idempotency-Key, made to answer what they answered under it before.
 *
 * Each is one whose transaction returns its answer (`Db.transaction`, role `answer`). Two are not here, because a part of
 * them is what is done once: the registration of an agent (`composeRegistry`), and verify-access, which other doors use too.
 */
export function answeredOnce(services: Services, once: ClaimedWrites['once']): Services {
  const { accounts, credentials, endpoints, registrationRequests, webhooks } = services
  return {
    ...services,
    accounts: {
      ...accounts,
      createApiKey: once(accounts.createApiKey),
      createOrganization: once(accounts.createOrganization),
      inviteMember: once(accounts.inviteMember),
    },
    credentials: { ...credentials, add: once(credentials.add) },
    endpoints: {
      ...endpoints,
      register: once(endpoints.register),
      claim: once(endpoints.claim),
      addAllowlistEntry: once(endpoints.addAllowlistEntry),
    },
    registrationRequests: {
      ...registrationRequests,
      askByKey: once(registrationRequests.askByKey),
      askByEmail: once(registrationRequests.askByEmail),
    },
    webhooks: {
      ...webhooks,
      rotateSecret: once(webhooks.rotateSecret),
      test: once(webhooks.test),
      redeliver: once(webhooks.redeliver),
    },
  }
}
