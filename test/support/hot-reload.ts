import * as refresh from 'react-refresh/runtime'

/**
 * React Fast Refresh, as bundlers run it: their plugin registers the components of an edited file, with a
 * signature of their hooks, and then lets React render them again. To be imported before React.
 */
refresh.injectIntoGlobalHook(globalThis as never)

/** Registers a version of the component `name`. `hooks`: its hooks in words; others mean a new component. */
export function version<C extends object>(name: string, hooks: string, component: C): C {
  const sign = refresh.createSignatureFunctionForTransform()
  sign(component as never, hooks)
  refresh.register(component, name)
  return component
}

/** Puts the versions that were registered last in place of those before. */
export function hotReload(): void {
  refresh.performReactRefresh()
}
