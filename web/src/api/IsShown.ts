import { createContext } from 'react'

/** Whether what is around a component is shown: a tab that waits behind another one reads nothing again until it returns. */
export const IsShown = createContext(true)
