import { serviceNameOf } from '@svc/core/signing/serviceName.ts'

/** For which service an owner signs requests. */
export type ServiceChoice = {
  /**
   * The origin of the service as it knows itself, which owners sign: by default that of `apiBaseUrl`. State it if requests
   * reach the service under another address, or null for a service that does not know this form yet.
   */
  service?: string | null | undefined
}

/** Chooses the service to sign for; undefined to name none. */
export function chooseService({ service }: ServiceChoice, baseUrl: string): string | undefined {
  return service === null ? undefined : (service ?? serviceNameOf(baseUrl))
}
