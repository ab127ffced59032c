/** Made by the plugin of `scripts/scene-code.mjs`. */
declare module 'virtual:loops' {
  /** The scenes with a loop in `assets/loops/`. */
  export const loops: readonly string[]
}

/** Made by the plugin of `scripts/scene-code.mjs`. */
declare module 'virtual:scene-code' {
  export interface SceneCode {
    /** Name of the file. */
    readonly name: string
    /** Where these lines are in the repository. */
    readonly address: string
    /** The lines with colours. */
    readonly html: string
  }
  /** Loads the code that is shown beside a scene, by the path of its file in `demo/`. */
  export const files: Readonly<Record<string, () => Promise<{ readonly default: SceneCode }>>>
  /** Names of the models in `assets/`. */
  export const models: readonly string[]
}
