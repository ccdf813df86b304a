import type { TableRow } from '../operation.ts'
import { getAdminAccounts, postAdminAccountResume, postAdminAccountSuspend } from './accounts.ts'
import { deleteAgentCertification, getAgentCertifications, putAgentCertification } from './certifications.ts'
import { getAdminEndpoints, postAdminEndpointRelease } from './endpoints.ts'
import {
  getAdminKyd,
  getAdminKydCase,
  getAdminKydDocument,
  postAdminKydApprove,
  postAdminKydReject,
} from './kyd.ts'
import {
  getAdminOrganizations,
  postAdminOrganizationResume,
  postAdminOrganizationSuspend,
} from './organizations.ts'
import { getAdminPlatforms, postAdminPlatformRestore, postAdminPlatformWithdraw } from './platforms.ts'

/** The operations for operators. */
export const OPERATOR_TABLE = [
  ['GET', '/api/admin/kyd', 'operator', 'api', getAdminKyd],
  ['GET', '/api/admin/kyd/:id', 'operator', 'api', getAdminKydCase],
  ['GET', '/api/admin/kyd/:id/documents/:kind', 'operator', 'api', getAdminKydDocument],
  ['POST', '/api/admin/kyd/:id/approve', 'elevatedOperator', 'api', postAdminKydApprove],
  ['POST', '/api/admin/kyd/:id/reject', 'elevatedOperator', 'api', postAdminKydReject],
  ['GET', '/api/admin/agents/:id/certifications', 'operator', 'api', getAgentCertifications],
  ['PUT', '/api/admin/agents/:id/certifications/:name', 'elevatedOperator', 'api', putAgentCertification],
  [
    'DELETE',
    '/api/admin/agents/:id/certifications/:name',
    'elevatedOperator',
    'api',
    deleteAgentCertification,
  ],
  ['GET', '/api/admin/accounts', 'operator', 'api', getAdminAccounts],
  ['POST', '/api/admin/accounts/:id/suspend', 'elevatedOperator', 'api', postAdminAccountSuspend],
  ['POST', '/api/admin/accounts/:id/resume', 'elevatedOperator', 'api', postAdminAccountResume],
  ['GET', '/api/admin/organizations', 'operator', 'api', getAdminOrganizations],
  ['POST', '/api/admin/organizations/:id/suspend', 'elevatedOperator', 'api', postAdminOrganizationSuspend],
  ['POST', '/api/admin/organizations/:id/resume', 'elevatedOperator', 'api', postAdminOrganizationResume],
  ['GET', '/api/admin/endpoints', 'operator', 'api', getAdminEndpoints],
  ['POST', '/api/admin/endpoints/:id/release', 'elevatedOperator', 'api', postAdminEndpointRelease],
  ['GET', '/api/admin/platforms', 'operator', 'api', getAdminPlatforms],
  ['POST', '/api/admin/platforms/:id/withdraw', 'elevatedOperator', 'api', postAdminPlatformWithdraw],
  ['POST', '/api/admin/platforms/:id/restore', 'elevatedOperator', 'api', postAdminPlatformRestore],
] as const satisfies readonly TableRow[]
