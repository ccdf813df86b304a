import { ACCOUNT_TABLE } from './accounts/accountTable.ts'
import { ACTIVITY_TABLE } from './activity/activityTable.ts'
import { AGENT_TABLE } from './agents/agentTable.ts'
import { APPROVAL_TABLE } from './approvals/approvalTable.ts'
import { AUDIT_TABLE } from './audit/auditTable.ts'
import { ENDPOINT_TABLE } from './endpoints/endpointTable.ts'
import type { TableRow } from './operation.ts'
import { OPERATOR_TABLE } from './operator/operatorTable.ts'
import { REGISTRATION_TABLE } from './registrations/registrationTable.ts'
import { SERVICE_TABLE } from './service/serviceTable.ts'
import { VERIFICATION_TABLE } from './verification/verificationTable.ts'

/**
 * Every operation of the API: method · path · who may call it · rate budget · operation. Each area has its rows in a table
 * of its own. Of two rows that match a request, the first counts.
 */
export const TABLE = [
  ...VERIFICATION_TABLE,
  ...APPROVAL_TABLE,
  ...REGISTRATION_TABLE,
  ...AGENT_TABLE,
  ...ENDPOINT_TABLE,
  ...ACTIVITY_TABLE,
  ...AUDIT_TABLE,
  ...ACCOUNT_TABLE,
  ...OPERATOR_TABLE,
  ...SERVICE_TABLE,
] as const satisfies readonly TableRow[]
