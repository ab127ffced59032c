import { hint } from '#hints'

/**
 * Which bodies, colliders or meshes become obstacles: those of the usual choice and those of `include`, of
 * which `filter` keeps some. Both are called at every refresh, so their answers may change.
 */
export interface ObstacleChoice<T> {
  /** Narrows the choice: those for which it returns false are no obstacles. Default all are. */
  filter?: ((each: T) => boolean) | undefined
  /**
   * Widens the choice: those for which it returns true are obstacles, although the usual choice leaves them
   * out. (To an agent its own body and its own meshes never are.) Default none.
   */
  include?: ((each: T) => boolean) | undefined
}

/** The choice of the function `name`. Says when its filter is one that asks for the usual choice. */
export function choiceOf<T>(name: string, { filter, include }: ObstacleChoice<T>): ObstacleChoice<T> {
  if (filter !== undefined && filter.length > 1)
    hint(
      filter,
      () =>
        `${name}: filter gets no second argument: it only narrows the usual choice, (body) => …; what else shall be an obstacle, the option include lets in`,
    )
  return { filter, include }
}

export function isChosen<T>({ filter, include }: ObstacleChoice<T>, each: T, isUsual: boolean): boolean {
  return (isUsual || (include !== undefined && include(each))) && (filter === undefined || filter(each))
}
