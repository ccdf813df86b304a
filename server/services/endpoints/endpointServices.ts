import type { Principal } from '../principal.ts'
import type { AllowlistEntryView } from './allowlistEntryView.ts'
import type { AddAllowlistEntryInput, RemoveAllowlistEntryInput } from './changeAllowlist.ts'
import type { ClaimEndpointInput } from './claimEndpoint.ts'
import type { EndEndpointInput } from './endEndpoint.ts'
import type { EndpointView } from './endpointView.ts'
import type { ListAllowlistInput } from './listAllowlist.ts'
import type { ListEndpointsInput } from './listEndpoints.ts'
import type { RegisterEndpointInput, RegisteredEndpoint } from './registerEndpoint.ts'
import type { UpdateEndpointInput } from './updateEndpoint.ts'

/** The use cases around endpoints, with their dependencies bound. */
export type EndpointServices = {
  register(input: RegisterEndpointInput): Promise<RegisteredEndpoint>
  read(input: { id: string; principal: Principal }): Promise<EndpointView>
  list(input: ListEndpointsInput): Promise<{ items: EndpointView[]; nextBefore: number | null }>
  update(input: UpdateEndpointInput): Promise<EndpointView>
  claim(input: ClaimEndpointInput): Promise<RegisteredEndpoint>
  deactivate(input: EndEndpointInput): Promise<EndpointView>
  archive(input: EndEndpointInput): Promise<EndpointView>
  listAllowlist(
    input: ListAllowlistInput,
  ): Promise<{ items: AllowlistEntryView[]; nextBefore: number | null }>
  addAllowlistEntry(input: AddAllowlistEntryInput): Promise<AllowlistEntryView>
  removeAllowlistEntry(input: RemoveAllowlistEntryInput): Promise<void>
}
