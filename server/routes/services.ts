import type { AccountServices } from '../services/accounts/accountServices.ts'

/** Everything a route may call: use cases whose dependencies are already bound (`compose`). */
export type Services = {
  accounts: AccountServices
}
