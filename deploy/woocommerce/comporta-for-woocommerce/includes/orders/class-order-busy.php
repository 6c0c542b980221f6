<?php
/**
 * Error for a locked order.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Thrown if the lock was not free in time. */
final class Order_Busy extends \RuntimeException {

	/** With a text for people. */
	public function __construct() {
		parent::__construct( __( 'Another request is working on this order. Try again in a minute.', 'comporta-for-woocommerce' ) );
	}
}
