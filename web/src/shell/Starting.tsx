import type { ApiFailure } from '../api/apiFailure.ts'

type Props = {
  /** Why the service could not be asked yet who is signed in. */
  failure?: ApiFailure | null
  /** Whether the dashboard could not be loaded although the service responds. */
  isBroken?: boolean
}

/** The outline that index.html shows until the first script has loaded, for as long as the page needs more; styled there. */
export function Starting({ failure = null, isBroken = false }: Props) {
  const words = isBroken ? BROKEN : failure === null ? null : `${describe(failure)} ${WAITING}`
  return (
    <div className="starting" role="status" aria-label={words === null ? 'Loading' : undefined}>
      <div className="starting-bar">Agent registry</div>
      {words !== null && <p className="starting-note">{words}</p>}
      <div className="starting-block" />
      <div className="starting-block" />
      <div className="starting-block" />
    </div>
  )
}

const WAITING = 'This page tries again by itself and continues as soon as the service responds.'
const BROKEN = 'This page cannot be shown. Reload it: a new version of the dashboard may be available.'

function describe({ code, message }: ApiFailure): string {
  return code === 'RATE_LIMITED' ? message : 'The service could not be reached.'
}
