import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

/** The API reference once was the page `/docs` itself, where each operation had a fragment such as `#postMcp`. */
const OPERATION = /^#(get|post|put|patch|delete|head)[A-Z]\w*$/

/** The generator's own theme, with the fonts of the reader's system and the colours of the dashboard. */
export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (typeof window === 'undefined') return
    const { pathname, hash } = window.location
    if (/^\/docs\/?$/.test(pathname) && OPERATION.test(hash))
      window.location.replace(`/docs/reference${hash}`)
  },
} satisfies Theme
