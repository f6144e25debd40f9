//! Data that worlds load: one copy for all of the process who need it at a time.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// Where one piece of data is found, as long as somebody holds it.
type Slot = Arc<Mutex<Option<Weak<dyn Any + Send + Sync>>>>;

/// The data that is loaded. Nothing is kept here: who needs data holds it.
static LOADED: LazyLock<Mutex<HashMap<(TypeId, String), Slot>>> = LazyLock::new(Mutex::default);

/// Gives the data of this type and key that somebody in the process holds already, and else loads it:
/// once, although others ask at the same time. It is dropped with its last holder.
///
/// The key says everything that the data depends on: [`files::stamp`](crate::files::stamp) of its file,
/// and how it is read.
///
/// # Errors
/// Errors of `load`; whoever asks next loads again.
pub fn load_shared<T: Send + Sync + 'static, E>(key: &str, load: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
    let slot = slot((TypeId::of::<T>(), key.to_owned()));
    let mut slot = locked(&slot);
    let held = slot.as_ref().and_then(Weak::upgrade);
    if let Some(data) = held.and_then(|data| data.downcast().ok()) {
        return Ok(data);
    }
    let data = Arc::new(load()?);
    let any: Weak<dyn Any + Send + Sync> = Arc::downgrade(&data) as _;
    *slot = Some(any);
    Ok(data)
}

/// The slot of a key. Those that nobody uses any more are left out on the way.
fn slot(key: (TypeId, String)) -> Slot {
    let mut slots = locked(&LOADED);
    let is_held = |slot: &Slot| {
        let data = locked(slot);
        data.as_ref().is_some_and(|data| data.strong_count() > 0)
    };
    slots.retain(|_, slot| Arc::strong_count(slot) > 1 || is_held(slot));
    Arc::clone(slots.entry(key).or_default())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A load that panicked has left nothing behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_loaded_once_while_it_is_held_and_apart_by_key_and_type() {
        let never = || -> Result<String, ()> { panic!("it is loaded already") };
        let first = load_shared("shared/a", || Ok::<_, ()>("a".to_owned())).unwrap();
        assert!(Arc::ptr_eq(&first, &load_shared("shared/a", never).unwrap()));
        assert_eq!(*load_shared("shared/b", || Ok::<_, ()>("b".to_owned())).unwrap(), "b");
        assert_eq!(*load_shared("shared/a", || Ok::<_, ()>(7_u8)).unwrap(), 7);
        drop(first);
        assert!(load_shared("shared/a", || Err::<String, _>(())).is_err());
        assert_eq!(*load_shared("shared/a", || Ok::<_, ()>("c".to_owned())).unwrap(), "c");
    }

    #[test]
    fn who_asks_at_the_same_time_waits_and_a_load_that_panics_leaves_nothing() {
        let panicked =
            std::panic::catch_unwind(|| load_shared("shared/c", || -> Result<u32, ()> { panic!("unreadable") }));
        assert!(panicked.is_err());
        let loads = Mutex::new(0);
        let ask = || {
            load_shared("shared/c", || {
                *locked(&loads) += 1;
                Ok::<_, ()>(0_u32)
            })
        };
        std::thread::scope(|scope| {
            let first = ask();
            let others: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            for other in others {
                assert_eq!(other.join().unwrap(), first);
            }
        });
        assert_eq!(loads.into_inner().unwrap(), 1);
    }
}
