import { Component, type ReactNode } from 'react'
import { Starting } from './Starting.tsx'
import { useReloadOnceReached } from './useReloadOnceReached.ts'

type Props = { children: ReactNode }

/** Frames the dashboard: if its code cannot be loaded, waits until the service responds and loads the page again. */
export class StartFrame extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const failure = useReloadOnceReached()
  return <Starting failure={failure} isBroken={failure === null} />
}
