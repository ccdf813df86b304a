import { validationError } from '../../../errors.ts'
import { publicHostFault } from '../../publicHostFault.ts'
import type { AgentRegistration } from './agentRegistration.ts'

/** Refuses a runtime-challenge URL that the service would not call. @throws ApiError VALIDATION_ERROR. */
export function checkChallengeUrl(
  { apiEndpoint }: Pick<AgentRegistration, 'apiEndpoint'>,
  allowPrivateNetwork: boolean,
): void {
  const fault = apiEndpoint === null ? null : publicHostFault(apiEndpoint, allowPrivateNetwork)
  if (fault !== null) {
    throw validationError([{ pointer: '/apiEndpoint', code: 'invalid_url', message: fault }])
  }
}
