import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { api } from '../harness/service/api.ts'
import { enrolPasskey } from './enrolPasskey.ts'

/** Settings for a service with an operator. */
export const OPERATOR_SETTINGS = {
  SVC_OPERATOR_EMAIL: 'Operator@svc.io',
  SVC_OPERATOR_PASSWORD: 'nobody guesses this one',
}

/** Signs in the operator of a service and enrols a passkey. */
export async function signInOperator(baseUrl: string) {
  const body = {
    email: OPERATOR_SETTINGS.SVC_OPERATOR_EMAIL,
    password: OPERATOR_SETTINGS.SVC_OPERATOR_PASSWORD,
  }
  const signedIn = await api(baseUrl, 'POST', '/api/auth/login', { body })
  const bearer: string = signedIn.body.data.accessToken
  const { elevation } = await enrolPasskey(baseUrl, bearer)
  const call = (
    method: string,
    path: string,
    options: { body?: object; headers?: Record<string, string> } = {},
  ) => api(baseUrl, method, `/api/admin/kyd${path}`, { bearer, ...options })
  return {
    bearer,
    user: signedIn.body.data.user,
    call,
    elevation,
    /** Decides a case with a fresh passkey; without a reason it approves. */
    async decide(caseId: string, reason?: string) {
      const headers = { 'x-svc-elevation': await elevation() }
      return reason === undefined
        ? call('POST', `/${caseId}/approve`, { headers, body: { compared: [...COMPARISONS] } })
        : call('POST', `/${caseId}/reject`, { headers, body: { reason } })
    },
  }
}
