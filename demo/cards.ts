/** The groups of scenes, in the order of the gallery. */
export const GROUPS = [
  'Flocks',
  'Ships and docking',
  'Avoidance',
  'Formations and racing',
  'On the ground and React',
] as const
export type Group = (typeof GROUPS)[number]

/** The scenes with a large card, on top. */
export const TOP: readonly string[] = ['station', 'murmuration', 'air-show', 'reef', 'asteroids', 'dogfight']

/** Description of a scene in the gallery. */
export interface Card {
  /** Scene id in the address, `?scene=…`, and the name of the file in `scenes/`. */
  readonly id: string
  readonly title: string
  /** One sentence for the gallery. */
  readonly summary: string
  /** What the visitor can do, shown next to the running scene. */
  readonly hint: string
  readonly group: Group
  /** Packages that it needs besides three-steering and three, as they are installed. */
  readonly needs?: string
  /** Pages of `docs/guides/` that explain it. */
  readonly guides?: readonly string[]
  /** Whether the scene needs the whole width, so that its controls start closed. */
  readonly wide?: boolean
  /** The file in `demo/` whose region `code` shows how the steering is built, beside the running scene. */
  readonly code: string
  /** The behaviours used, each with its source. */
  readonly behaviors: readonly Credit[]
}

export interface Credit {
  /** Names of behaviours and schemes that have a page become links. */
  readonly name: string
  readonly source: string
}

const GREEN = 'Green, Steering Behaviours'
const REYNOLDS_1987 = 'Reynolds 1987, Flocks, Herds and Schools'
const REYNOLDS_1999 = 'Reynolds 1999, Steering Behaviors for Autonomous Characters'

/** All scenes, in the order of the gallery. Their code is loaded when they are opened. */
export const CARDS: readonly Card[] = [
  {
    id: 'murmuration',
    title: 'Starlings and falcon',
    summary:
      'Ten thousand starlings fly above their roost. Each reacts only to its seven nearest neighbours. When the falcon attacks, waves of agitation run through the flock.',
    hint: 'Fly behind the falcon, or change the number of neighbours.',
    group: 'Flocks',
    guides: ['performance'],
    code: 'scenarios/murmuration.ts',
    behaviors: [
      { name: 'Separation, Alignment, Cohesion', source: REYNOLDS_1987 },
      { name: 'Seven nearest neighbours at any distance', source: 'Ballerini et al. 2008' },
      { name: 'Waves of agitation', source: 'Procaccini et al. 2011; Hemelrijk et al. 2015' },
      { name: 'Turning back above the roost', source: 'Hildenbrandt et al. 2010' },
      { name: 'Evade (starlings), Pursue, Seek (falcon)', source: GREEN },
      { name: 'Banked flight', source: REYNOLDS_1987 },
    ],
  },
  {
    id: 'reef',
    title: 'Reef',
    summary:
      'Four kinds of fish swim among corals. Each kind forms a school, and the schools swim through each other. Two sharks chase them, and the fish get away.',
    hint: 'Swim behind a shark, or turn off the avoidance between fish.',
    group: 'Flocks',
    guides: ['other-agents'],
    code: 'scenarios/reef-school.ts',
    behaviors: [
      { name: 'Separation, Alignment, Cohesion, of each kind', source: REYNOLDS_1987 },
      {
        name: 'ReciprocalAvoidance',
        source: 'van den Berg et al. 2011, Reciprocal n-Body Collision Avoidance',
      },
      { name: 'AvoidObstacles, Contain', source: `${GREEN}, Obstacle Avoidance; Containment` },
      { name: 'Evade (fish), Pursue, Seek (sharks)', source: GREEN },
    ],
  },
  {
    id: 'river',
    title: 'River of birds',
    summary:
      'Three thousand birds follow a current among towers of rock above the clouds. Paint another current, and the birds follow it.',
    hint: 'Draw with the mouse or a finger to change the current. Use the right button or two fingers to turn the view.',
    group: 'Flocks',
    code: 'scenarios/bird-river.ts',
    behaviors: [
      { name: 'FollowFlowField', source: `${REYNOLDS_1999}; ${GREEN}` },
      { name: 'FlowAround: potential flow around obstacles', source: 'Lamb, Hydrodynamics' },
      { name: 'AvoidObstacles', source: `${GREEN}, Obstacle Avoidance, in 3D` },
      { name: 'Separation, banked flight', source: REYNOLDS_1987 },
    ],
  },
  {
    id: 'canyon',
    title: 'Canyon',
    summary:
      'A flock flies through a winding canyon, around its pillars and under its arches. The canyon is a single triangle mesh.',
    hint: 'Drag to look around, fly with a bird, or watch from the rim.',
    group: 'Flocks',
    needs: 'three-mesh-bvh',
    guides: ['obstacles'],
    code: 'scenarios/canyon.ts',
    behaviors: [
      { name: 'AvoidObstacles on a triangle mesh', source: `${GREEN}, Obstacle Avoidance, in 3D` },
      { name: 'Separation, Alignment, Cohesion', source: REYNOLDS_1987 },
      { name: 'Seek a target along the centre line', source: GREEN },
    ],
  },
  {
    id: 'station',
    title: 'Station',
    summary:
      'A game: you fly one ship, and a wing obeys you. Freighters dock at turning ports, raiders attack them, drones and asteroids pass. All are rigid bodies, and none touches another.',
    hint: 'Press Fly, and stop five raids. Click a ship to see why it does what it does.',
    wide: true,
    group: 'Ships and docking',
    needs: 'cannon-es',
    guides: ['game', 'player'],
    code: 'scenarios/station.ts',
    behaviors: [
      { name: 'Formation, KeepSlot, OffsetPursue', source: `${GREEN}, Formations` },
      { name: 'Strafe, Evade, intercept', source: GREEN },
      { name: 'Stick; Dock, Undock, queues at ports', source: 'this package' },
      { name: 'Flocking, FollowPath (drones)', source: 'Reynolds 1987; Reynolds 1999' },
      { name: 'AvoidObstacles, ReciprocalAvoidance', source: 'Green; van den Berg et al. 2011' },
    ],
  },
  {
    id: 'dogfight',
    title: 'Dogfight',
    summary:
      'Two teams of fighters above the clouds: attack runs, tail chases and break turns. New fighters join up with a circling tanker.',
    hint: 'Fly behind a fighter, or turn their break turns off. A fighter with smoke is hit.',
    group: 'Ships and docking',
    needs: 'cannon-es',
    code: 'scenarios/fighter.ts',
    behaviors: [
      { name: 'AttackRun: target ahead, lead, break off, turn back', source: 'Jakob 2003, 2.1' },
      {
        name: 'JoinUp: formation and six o’clock at speed',
        source: `Jakob 2003, 2.1; ${GREEN}, Offset Pursuit`,
      },
      { name: 'Evade: turns inside the attacker', source: `${GREEN}, Pursue and Evade` },
      { name: 'ReciprocalAvoidance', source: 'van den Berg et al. 2011, in 3D' },
      { name: 'Flight: banked turns', source: 'Reynolds 1999, the locomotion layer' },
    ],
  },
  {
    id: 'docking',
    title: 'Docking',
    summary:
      'Tugs, shuttles and freighters queue at a rotating, drifting station, dock gently, unload, and return to the mine.',
    hint: 'Look out of a port while a ship docks. Flames show the actual forces. Freighters have weak retro engines.',
    group: 'Ships and docking',
    needs: 'cannon-es',
    guides: ['directed-seek-and-docking'],
    code: 'scenarios/port-traffic.ts',
    behaviors: [
      { name: 'Dock, Undock: stages, corridor, queue, latching pose', source: 'this package' },
      { name: 'Arrival in a given direction: directed seek', source: 'Jakob, Directed Seek' },
      { name: 'AvoidObstacles: rocks and other ships on the way', source: 'Green, Steering Behaviours' },
      { name: 'Thrusters: a limit for each direction', source: 'Reynolds 1999, the locomotion layer' },
    ],
  },
  {
    id: 'landing',
    title: 'Landing',
    summary:
      'Landers with one strong engine and weak jets land on the pads of a rotating asteroid with gravity: in the centre of the pad, level, and slowly. They rest, and take off again.',
    hint: 'Amber rings mark the approach to a pad. Increase the gravity, or fly with a lander.',
    group: 'Ships and docking',
    needs: 'cannon-es',
    guides: ['gravity'],
    code: 'scenarios/landing.ts',
    behaviors: [
      { name: 'Land, Undock: stages, corridor, soft touchdown', source: 'this package' },
      {
        name: 'Arrival with a given direction and speed',
        source: 'after Jakob, Directional Extensions of Seek',
      },
      { name: 'Arriving without overshoot', source: `${GREEN}, Arrival` },
      { name: 'Thrusters that support the weight first', source: 'Reynolds 1999, the locomotion layer' },
    ],
  },
  {
    id: 'explain',
    title: 'Explain',
    summary:
      'Guards patrol, chase, flee and dock, controlled by a state machine. Click a ship to see live which force each behaviour asks for, and which it gets.',
    hint: 'Click or tap a ship, or use the arrow keys. The arrows in space have the colours of the lines.',
    group: 'Ships and docking',
    needs: 'cannon-es xstate',
    guides: ['combining'],
    code: 'scenarios/sentry-guard.ts',
    behaviors: [
      { name: 'Explanation: what each behaviour asked for, and what was granted', source: 'this package' },
      { name: 'Action selection by a state machine that switches trees', source: REYNOLDS_1999 },
      { name: 'within: constraints on the velocity, then the force', source: 'this package' },
    ],
  },
  {
    id: 'your-scene',
    title: 'Your scene',
    summary:
      'Drop a model of your own, and it flies: as a rigid body among floating rocks, with a flock of itself behind it. The model stays on your computer.',
    hint: 'If your model flies sideways, turn its nose. Click a light to send it there.',
    group: 'Ships and docking',
    needs: 'cannon-es',
    guides: ['parents-and-models'],
    code: 'scenarios/your-scene.ts',
    behaviors: [
      { name: 'Arrive, Wander, FollowPath', source: GREEN },
      { name: 'LeaderFollow, Separation (the flock)', source: REYNOLDS_1999 },
      { name: 'AvoidObstacles, Contain', source: `${GREEN}, Obstacle Avoidance; Containment` },
      { name: 'Dock, Undock: a rotating station', source: 'this package' },
    ],
  },
  {
    id: 'asteroids',
    title: 'Asteroid field',
    summary:
      'Ships fly at full speed through hundreds of drifting, tumbling rocks. The YZ plane of a ship shows how it chooses a gap.',
    hint: 'Red discs on the YZ plane are rocks in the way, green is the gap that the ship takes. Click another ship, or compare with the textbook method in the same field.',
    group: 'Avoidance',
    needs: 'cannon-es',
    guides: ['obstacles'],
    code: 'scenarios/fleet.ts',
    behaviors: [
      {
        name: 'AvoidObstacles: discs on the YZ plane, all rocks at once',
        source: `${GREEN}, Obstacle Avoidance, in 3D`,
      },
      { name: 'within: constraints on the velocity, then the force', source: 'this package' },
      { name: 'Arrive', source: `${GREEN}, Arrival` },
    ],
  },
  {
    id: 'antipodes',
    title: 'Antipodes',
    summary:
      'A hundred darts start on a sphere, and each flies to the opposite point, all through the centre at once. There is no central control and no collision.',
    hint: 'The colour shows where a dart started. Red is a collision.',
    group: 'Avoidance',
    guides: ['other-agents'],
    code: 'scenarios/antipodes.ts',
    behaviors: [
      {
        name: 'ReciprocalAvoidance: each does half of the avoidance',
        source: 'van den Berg et al. 2011, Reciprocal n-Body Collision Avoidance',
      },
      {
        name: 'For comparison: AvoidAgents, one encounter at a time',
        source: `${GREEN}, Unaligned Collision Avoidance`,
      },
      { name: 'Arrive', source: `${GREEN}, Arrival` },
    ],
  },
  {
    id: 'crossroads',
    title: 'Crossroads',
    summary:
      'Four streams of traffic cross at one place, in three dimensions. There are no traffic lights and no rules of the road, and freighters do not give way.',
    hint: 'Turn avoidance off and watch the number of contacts.',
    group: 'Avoidance',
    guides: ['other-agents'],
    code: 'scenarios/crossroads.ts',
    behaviors: [
      {
        name: 'ReciprocalAvoidance: each does its share',
        source: 'van den Berg et al. 2011, Reciprocal n-Body Collision Avoidance',
      },
      { name: 'Right of way by mass', source: 'Green, Steering Behaviours, relative mass' },
      { name: 'Seek', source: 'Green, Steering Behaviours' },
    ],
  },
  {
    id: 'black-art',
    title: 'The black art',
    summary:
      'Seven ways to combine the same four behaviours, compared on the same crowded task. Drones fly back and forth in tubes with drifting rocks. Every contact flashes red.',
    hint: 'Open the controls to change weights and order in flight. Click a name to read its source code.',
    wide: true,
    group: 'Avoidance',
    guides: ['combining', 'tuning'],
    code: 'scenarios/black-art.ts',
    behaviors: [
      { name: 'blend, weighted and in groups: “the black art area”', source: GREEN },
      { name: 'priority, dither, truncatedSum', source: 'Combining Steering Behaviours; Reynolds 1999' },
      { name: 'contextMap', source: 'Fray 2015, Context Steering' },
      { name: 'within: constraints on the velocity, then the force', source: 'this package' },
    ],
  },
  {
    id: 'air-show',
    title: 'Air show',
    summary:
      'Nine jets fly in formation over the sea, change between arrow, diamond, ring and wall, and fly a loop and a roll. One jet falls out, the others close the gap, and a new jet joins.',
    hint: 'Choose another formation, or let a jet fall out. Drag to look around.',
    group: 'Formations and racing',
    guides: ['paths-and-formations'],
    code: 'scenarios/air-show.ts',
    behaviors: [
      { name: 'Formation: slots, turning, change of pattern', source: `${GREEN}, Steering Formations` },
      { name: 'KeepSlot', source: `${GREEN}, Offset Pursuit and Formations` },
      {
        name: 'Change of pattern without crossing paths',
        source: 'after Turpin, Michael and Kumar 2014, CAPT',
      },
      { name: 'Flight: banked turns', source: 'Reynolds 1999, the locomotion layer' },
    ],
  },
  {
    id: 'needle',
    title: "The needle's eye",
    summary:
      'A block of nine ships flies through openings that are narrower than the block. It changes into a column, passes, and forms the block again.',
    hint: 'Drag to look around while the view moves along. Choose another formation, or use up to 27 ships.',
    group: 'Formations and racing',
    needs: 'cannon-es',
    guides: ['paths-and-formations'],
    code: 'scenarios/needle.ts',
    behaviors: [
      { name: 'Formation, KeepSlot, KeepPace', source: `${GREEN}, Steering Formations (after Van Verth)` },
      {
        name: 'AvoidObstacles: slabs, plates, stones, a rotating wheel',
        source: `${GREEN}, Obstacle Avoidance, in 3D`,
      },
      { name: 'ReciprocalAvoidance', source: 'van den Berg et al. 2011, in 3D' },
      { name: 'FollowPath', source: `${GREEN}, Follow Path` },
    ],
  },
  {
    id: 'gates',
    title: 'Gates',
    summary:
      'A race through a tangled course of gates under the northern lights. Every ship flies the fastest line it can hold, and overtakes without contact.',
    hint: 'Make them fly through the gate centres instead, and compare the lap times. Fly with the leader.',
    group: 'Formations and racing',
    needs: 'cannon-es',
    guides: ['paths-and-formations'],
    code: 'scenarios/gate-race.ts',
    behaviors: [
      { name: 'FollowPath: reprojection, dog on a string, grappling hooks', source: `${GREEN}, Follow Path` },
      { name: 'racingLine: pass points, slopes and radii', source: 'this package, on Dubins paths' },
      { name: 'GateRun: order, splits, laps', source: 'this package' },
      { name: 'ReciprocalAvoidance', source: 'van den Berg et al. 2011, in 3D' },
    ],
  },
  {
    id: 'directed-seek',
    title: 'Directed seek',
    summary:
      'Aircraft land on an island, a mesa, a ship and a tilted deck in the sky. None can turn on the spot: each plans the shortest curve to its runway that wings can fly.',
    hint: 'Fly with an aircraft, or make turns wider. The switch “mathematics” shows turn circles, steering plane and shortest path, and compares three methods.',
    group: 'Formations and racing',
    guides: ['directed-seek-and-docking'],
    code: 'scenarios/airfield.ts',
    behaviors: [
      {
        name: 'DirectedSeek: the stages, k_A, k_W and the plane Ω',
        source: 'Jakob, Directional Extensions of Seek Steering Behavior, sections 3 and 4',
      },
      {
        name: "Both circles k_W and k'_W; in 3D",
        source: 'Jakob, section 6: extensions left open',
      },
      {
        name: 'Follows the shortest path',
        source: 'Dubins 1957; Sussmann 1995, in 3D',
      },
    ],
  },
  {
    id: 'street',
    title: 'Street',
    summary:
      'A small town with a roundabout. Cars steer, brake and give way, pass the van that is being unloaded, and stop where people want to cross.',
    hint: 'Follow a car or a walker. Let cars no longer stop at the crossings.',
    group: 'On the ground and React',
    guides: ['ground'],
    code: 'scenarios/street.ts',
    behaviors: [
      { name: 'Wheels: curves of the front wheels, grip of the tyres', source: 'the bicycle model' },
      {
        name: 'Walker: turns on the spot, walks aside and backwards',
        source: `${REYNOLDS_1999}, Locomotion`,
      },
      { name: 'FollowPath, Arrive, AvoidObstacles', source: GREEN },
      {
        name: 'ReciprocalAvoidance: each does its share',
        source: 'van den Berg et al. 2011, Reciprocal n-Body Collision Avoidance',
      },
    ],
  },
  {
    id: 'lighthouse',
    title: 'Lighthouse',
    summary:
      'A scene written in React: gulls circle a lighthouse, and boats sail from buoy to buoy. Each arrival is a change of React state.',
    hint: 'Change the number of boats and gulls: components mount and unmount, and their agents with them.',
    group: 'On the ground and React',
    needs: 'react @react-three/fiber',
    guides: ['react'],
    code: 'views/lighthouse.tsx',
    behaviors: [
      { name: 'useSteering and <Flock> of three-steering/react', source: 'React Three Fiber' },
      { name: 'Arrive, AvoidObstacles', source: GREEN },
      {
        name: 'ReciprocalAvoidance',
        source: 'van den Berg et al. 2011, Reciprocal n-Body Collision Avoidance',
      },
      { name: 'Flocking', source: REYNOLDS_1987 },
    ],
  },
]
