import type { ApproveRegistrationRequestInput } from './approveRegistrationRequest.ts'
import type { ClaimRegistrationRequestInput } from './claimRegistrationRequest.ts'
import type { DenyRegistrationRequestInput } from './denyRegistrationRequest.ts'
import type { ListRegistrationRequestsInput } from './listRegistrationRequests.ts'
import type { PolledRegistrationRequest } from './pollRegistrationRequest.ts'
import type { ReadRegistrationRequest, RegistrationRequestInput } from './readRegistrationRequest.ts'
import type { RegistrationRequestView } from './registrationRequestView.ts'
import type { RequestRegistrationByEmailInput } from './requestRegistrationByEmail.ts'
import type { RequestRegistrationByKeyInput } from './requestRegistrationByKey.ts'

/** The use cases around registrations that wait for an owner, with their dependencies bound. */
export type RegistrationRequestServices = {
  /** Both answer the request's identifier. */
  askByKey(input: RequestRegistrationByKeyInput): Promise<string>
  askByEmail(input: RequestRegistrationByEmailInput): Promise<string>
  poll(input: { requestId: string; now: number }): Promise<PolledRegistrationRequest>
  list(
    input: ListRegistrationRequestsInput,
  ): Promise<{ items: RegistrationRequestView[]; nextBefore: number | null }>
  read(input: RegistrationRequestInput): Promise<ReadRegistrationRequest>
  claim(input: ClaimRegistrationRequestInput): Promise<RegistrationRequestView>
  approve(input: ApproveRegistrationRequestInput): Promise<RegistrationRequestView>
  deny(input: DenyRegistrationRequestInput): Promise<RegistrationRequestView>
}
