import { type ApiError, ERROR_CATALOGUE } from '../errors.ts'

/**
 * Builds the body of an error, which has the specification’s code and is valid RFC 9457.
 *
 * @param instance The path of the request. Source: RFC 9457 §3.
 */
export function buildErrorBody(error: ApiError, instance: string, requestId: string): object {
  return {
    success: false,
    error: error.code,
    code: error.code,
    message: error.message,
    type: `urn:svc:error:${error.code}`,
    title: ERROR_CATALOGUE[error.code].title,
    status: error.status,
    detail: error.message,
    instance,
    requestId,
    ...(error.errors ? { errors: error.errors } : {}),
    ...error.extension,
  }
}
