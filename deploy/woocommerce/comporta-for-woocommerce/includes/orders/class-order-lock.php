<?php
/**
 * Lock of an order for concurrent requests.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Named lock of the database. It ends with the connection, so a dead request leaves no lock. */
final class Order_Lock {

	/** Shorter than the 15 seconds that the gateway waits for the answer to a callback. */
	private const WAIT_SECONDS_MAX = 10;

	/**
	 * Runs a function while it holds the lock of the order.
	 *
	 * @param int      $order_id Id of the order. Read the order within the work: an earlier copy may be old.
	 * @param callable $work     Function without parameters.
	 * @throws Order_Busy If the lock does not become free in time.
	 */
	public static function hold( int $order_id, callable $work ): mixed {
		global $wpdb;
		// MySQL allows 64 characters, and all databases of a server share the names of locks.
		$name = 'comporta_' . md5( DB_NAME . $wpdb->prefix . $order_id );
		$held = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $name, self::WAIT_SECONDS_MAX ) );
		if ( '1' !== (string) $held ) {
			throw new Order_Busy();
		}
		try {
			return $work();
		} finally {
			$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $name ) );
		}
	}
}
