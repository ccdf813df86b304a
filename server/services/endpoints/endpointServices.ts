import type { Principal } from '../principal.ts'
import type { EndpointView } from './endpointView.ts'
import type { ListEndpointsInput } from './listEndpoints.ts'
import type { RegisterEndpointInput, RegisteredEndpoint } from './registerEndpoint.ts'
import type { UpdateEndpointInput } from './updateEndpoint.ts'

/** The use cases around endpoints, with their dependencies bound. */
export type EndpointServices = {
  register(input: RegisterEndpointInput): Promise<RegisteredEndpoint>
  read(input: { id: string; principal: Principal }): Promise<EndpointView>
  list(input: ListEndpointsInput): Promise<{ items: EndpointView[]; nextBefore: number | null }>
  update(input: UpdateEndpointInput): Promise<EndpointView>
}
