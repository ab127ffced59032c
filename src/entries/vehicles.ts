/** Options of common vehicles, to start from: drone, fighter, freighter, bird and car. @module */

export { bird, car, drone, fighter, freighter, type VehicleOptions } from '../extras/vehicles/vehicles.js'
