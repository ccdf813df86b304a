import type {
  RegistrationRequestStatus,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'

/** Where a request stands at a moment: one past its time is `expired`, whether or not anything has written that down. */
export function requestStatusAt(
  { status, expiresAt }: Pick<StoredRegistrationRequest, 'status' | 'expiresAt'>,
  now: number,
): RegistrationRequestStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}
