import type { Route } from '../middleware/serve.ts'
import { TABLE } from './index.ts'
import type { Services } from './services.ts'

/** The table with its handlers bound to the services. */
export function routes(services: Services): readonly Route[] {
  return TABLE.map(([method, path, access, budget, operation]) => ({
    method,
    path,
    access,
    budget,
    repeatable: operation.repeatable === true,
    ...(operation.repeatableApartFrom ? { repeatableApartFrom: operation.repeatableApartFrom } : {}),
    standard: operation.standard,
    ...(operation.vital ? { vital: operation.vital } : {}),
    ...(operation.upload ? { upload: operation.upload } : {}),
    handler: operation.handle(services),
  }))
}
