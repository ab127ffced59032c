export { bird, car, drone, fighter, freighter, type VehicleOptions } from '../extras/vehicles/vehicles.js'
